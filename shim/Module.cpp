// torch_pjrt._C: what the Python package calls.  Plain CPython API.
#include "Allocator.h"
#include "Generator.h"
#include "Guard.h"
#include "Hooks.h"
#include "Register.h"

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/version.h>

#include <thread>

namespace torch_pjrt {
namespace {

// ---- the core's way to Python

bool python_runs() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsInitialized() && !Py_IsFinalizing();
#else
  return Py_IsInitialized() && !_Py_IsFinalizing();
#endif
}

void* release_gil() { return python_runs() && PyGILState_Check() ? PyEval_SaveThread() : nullptr; }

void acquire_gil(void* token) {
  if (token) PyEval_RestoreThread(static_cast<PyThreadState*>(token));
}

std::thread::id main_thread;

// Python runs signal handlers on the main thread only: other threads need not disturb it.
bool interrupted(void* token) {
  if (std::this_thread::get_id() != main_thread || !python_runs()) return false;
  if (token) {
    PyEval_RestoreThread(static_cast<PyThreadState*>(token));
    const bool raised = PyErr_CheckSignals() != 0;
    PyEval_SaveThread();
    return raised;
  }
  const PyGILState_STATE gil = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(gil);
  return raised;
}

const tp_hooks hooks = {release_gil, acquire_gil, interrupted};

// ---- functions

PyObject* none() { Py_RETURN_NONE; }

template <class Int = int>
Int int_of(PyObject* o) {
  const long long i = PyLong_AsLongLong(o);
  if (i == -1 && PyErr_Occurred()) throw python_error();
  TORCH_CHECK_VALUE(i >= std::numeric_limits<Int>::min() && i <= std::numeric_limits<Int>::max(),
                    "a number must fit ", sizeof(Int), " bytes; got ", i);
  return static_cast<Int>(i);
}

// A function of the module: |f| may throw.
template <PyObject* (*f)(PyObject*)>
PyObject* call(PyObject*, PyObject* argument) {
  HANDLE_TH_ERRORS
  return f(argument);
  END_HANDLE_TH_ERRORS
}

PyObject* register_all(PyObject*) {
  static bool done = false;
  if (done) return none();
  register_allocator();
  register_guard();
  register_hooks();
  register_factories();
  register_views();
  register_storage();
  register_copies();
  register_fallback();
  register_attention();
  register_autocast();
  register_rows();
  done = true;
  return none();
}

PyObject* set_embedded_plugin(PyObject* path) {
  const char* text = PyUnicode_AsUTF8(path);
  if (!text) throw python_error();
  tp_set_embedded_plugin(text);
  return none();
}

PyObject* plugin_path(PyObject*) {
  const char* path = nullptr;
  TP_THROW_IF(tp_plugin_path(&path));
  return PyUnicode_FromString(path);
}

PyObject* hardware_found(PyObject*) { return PyBool_FromLong(tp_hardware_found()); }
PyObject* is_open(PyObject*) { return PyBool_FromLong(tp_is_open()); }
PyObject* device_count(PyObject*) { return PyLong_FromLong(tp_device_count()); }

PyObject* open(PyObject*) {
  TP_THROW_IF(tp_open());
  return none();
}

PyObject* device_kind(PyObject* device) {
  const char* name = nullptr;
  TP_THROW_IF(tp_device_kind(int_of(device), &name));
  return PyUnicode_FromString(name);
}

PyObject* get_device(PyObject*) { return PyLong_FromLong(current_device()); }

PyObject* set_device(PyObject* device) {
  set_current_device(int_of<c10::DeviceIndex>(device));
  return none();
}

PyObject* synchronize(PyObject* device) {
  const int index = int_of(device);
  if (index >= 0) TP_THROW_IF(tp_device_check(index));
  TP_THROW_IF(tp_synchronize(index));
  return none();
}

PyObject* shutdown(PyObject*) {
  tp_shutdown();
  return none();
}

PyObject* mode_get(PyObject*) {
  tp_mode mode = TP_STRICT;
  bool blocking = false;
  TP_THROW_IF(tp_mode_get(&mode, &blocking));
  return Py_BuildValue("(iO)", static_cast<int>(mode), blocking ? Py_True : Py_False);
}

PyObject* mode_set(PyObject* arguments) {
  int mode = 0, blocking = 0;
  if (!PyArg_ParseTuple(arguments, "ip", &mode, &blocking)) throw python_error();
  TORCH_CHECK_VALUE(mode == TP_STRICT || mode == TP_DEFER, "the mode must be 0 or 1; got ", mode);
  TP_THROW_IF(tp_mode_set(static_cast<tp_mode>(mode), blocking != 0));
  return none();
}

PyObject* precision_get(PyObject*) { return PyLong_FromLong(tp_precision_get()); }

PyObject* precision_set(PyObject* precision) {
  const int p = int_of(precision);
  TORCH_CHECK_VALUE(p >= HLO_DEFAULT && p <= HLO_HIGHEST, "the precision must be 0, 1 or 2; got ", p);
  tp_precision_set(static_cast<hlo_precision>(p));
  return none();
}

PyObject* compile_count(PyObject*) { return PyLong_FromLongLong(tp_compile_count()); }

PyObject* memory(PyObject* device) {
  const int index = int_of(device);
  TP_THROW_IF(tp_device_check(index));
  tp_memory m{};
  tp_memory_get(index, &m);
  return Py_BuildValue("{s:L,s:L,s:L}", "allocated", static_cast<long long>(m.allocated), "peak",
                       static_cast<long long>(m.peak), "limit", static_cast<long long>(m.limit));
}

PyObject* default_generator_of(PyObject* device) {
  return THPGenerator_initDefaultGenerator(default_generator(int_of<c10::DeviceIndex>(device)));
}

PyObject* fallbacks(PyObject* reset) {
  PyObject* counts = PyDict_New();
  for (const auto& [name, n] : fallback_counts(PyObject_IsTrue(reset) == 1)) {
    THPObjectPtr value(PyLong_FromLongLong(n));
    if (!value || PyDict_SetItemString(counts, name.c_str(), value.get()) < 0) throw python_error();
  }
  return counts;
}

PyObject* ops(PyObject*) {
  PyObject* list = PyList_New(0);
  for (const RowForms& row : row_forms()) {
    THPObjectPtr forms(PyList_New(0));
    for (const std::string& form : row.forms) {
      THPObjectPtr name(PyUnicode_FromString(form.c_str()));
      PyList_Append(forms.get(), name.get());
    }
    THPObjectPtr entry(Py_BuildValue("{s:s,s:s,s:O}", "row", row.row.c_str(), "kind", row.kind.c_str(), "forms", forms.get()));
    if (!entry || PyList_Append(list, entry.get()) < 0) throw python_error();
  }
  return list;
}

PyObject* environment(PyObject*) {
  PyObject* list = PyList_New(0);
  for (int e = 0; e < TP_ENV_COUNT; e++) {
    const auto variable = static_cast<tp_env>(e);
    THPObjectPtr entry(Py_BuildValue("(sss)", tp_env_name(variable), tp_env_default(variable), tp_env_doc(variable)));
    if (!entry || PyList_Append(list, entry.get()) < 0) throw python_error();
  }
  return list;
}

PyMethodDef methods[] = {
    {"register", call<register_all>, METH_NOARGS, "Binds the device to PyTorch's PrivateUse1 key."},
    {"set_embedded_plugin", call<set_embedded_plugin>, METH_O, "Path of the embedded CPU plugin."},
    {"plugin_path", call<plugin_path>, METH_NOARGS, "Path of the plugin that is or would be used."},
    {"hardware_found", call<hardware_found>, METH_NOARGS, "True if a TPU was found or a plugin chosen."},
    {"is_open", call<is_open>, METH_NOARGS, "True if a plugin has been opened."},
    {"open", call<open>, METH_NOARGS, "Opens the plugin now."},
    {"device_count", call<device_count>, METH_NOARGS, "Number of devices; opens nothing."},
    {"device_kind", call<device_kind>, METH_O, "The plugin's name of the device's kind; opens the plugin."},
    {"get_device", call<get_device>, METH_NOARGS, "Index of this thread's current device."},
    {"set_device", call<set_device>, METH_O, "Makes a device this thread's current one."},
    {"synchronize", call<synchronize>, METH_O, "Waits for a device; -1: all."},
    {"shutdown", call<shutdown>, METH_NOARGS, "At exit: drains, then every release is a no-op."},
    {"mode_get", call<mode_get>, METH_NOARGS, "(0 strict | 1 defer, blocking)"},
    {"mode_set", call<mode_set>, METH_VARARGS, "mode_set(mode, blocking)"},
    {"precision_get", call<precision_get>, METH_NOARGS, "0 default, 1 high, 2 highest"},
    {"precision_set", call<precision_set>, METH_O, "0 default, 1 high, 2 highest"},
    {"compile_count", call<compile_count>, METH_NOARGS, "Successful plugin compiles in this process."},
    {"memory", call<memory>, METH_O, "{allocated, peak, limit} in bytes"},
    {"default_generator", call<default_generator_of>, METH_O, "The default torch.Generator of a device."},
    {"fallbacks", call<fallbacks>, METH_O, "fallbacks(reset) -> {op: calls}"},
    {"ops", call<ops>, METH_NOARGS, "[{row, kind, forms}]"},
    {"environment", call<environment>, METH_NOARGS, "[(name, default, meaning)]"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {PyModuleDef_HEAD_INIT, "torch_pjrt._C", "The shim between PyTorch and the core.", -1, methods,
                      nullptr, nullptr, nullptr, nullptr};

} // namespace
} // namespace torch_pjrt

PyMODINIT_FUNC PyInit__C() {
  using namespace torch_pjrt;
  PyObject* m = PyModule_Create(&module);
  if (!m) return nullptr;
  main_thread = std::this_thread::get_id();
  tp_init(&hooks);
  if (PyModule_AddStringConstant(m, "torch_version", TORCH_VERSION) < 0) return nullptr;
  return m;
}
