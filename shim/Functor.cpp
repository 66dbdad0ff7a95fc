// The generic boxed kernel: one class for every form of every row.
#include "Bind.h"
#include "Factories.h"
#include "Fallback.h"
#include "Forms.h"
#include "Generator.h"
#include "Guard.h"
#include "Number.h"
#include "Scratch.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/native/Resize.h>

namespace torch_pjrt {
namespace {

using c10::IValue;
using torch::jit::Stack;

tp_arg int_arg(int64_t i) {
  tp_arg a{};
  a.tag = TP_ARG_INT;
  a.i = i;
  return a;
}

c10::DeviceIndex first_device(c10::ArrayRef<IValue> values) {
  for (const IValue& v : values) {
    if (v.isTensor() && v.toTensor().defined() && v.toTensor().device().type() == kDevice) return v.toTensor().device().index();
    if (v.isList()) {
      const c10::DeviceIndex index = first_device(v.toListRef());
      if (index >= 0) return index;
    }
  }
  return -1;
}

// The dtype of a factory that was given none: PyTorch's rule for the op.
c10::ScalarType factory_dtype(const Form& form, c10::ArrayRef<IValue> in) {
  bool integral = true, boolean = true, complex = false, numbers = false;
  for (int i = 0; i < form.dtype_arg; i++) {
    const IValue& v = in[static_cast<size_t>(form.where[i])];
    if ((form.letters[i] != 's' && form.letters[i] != 'x') || v.isNone()) continue;
    const c10::Scalar s = v.toScalar();
    numbers = true;
    integral = integral && s.isIntegral(/*includeBool=*/true);
    boolean = boolean && s.isBoolean();
    complex = complex || s.isComplex();
  }
  const std::string base = form.name.substr(0, form.name.find('.'));
  if (numbers && base == "full" && boolean) return c10::kBool;
  if (numbers && integral && (base == "full" || base == "arange")) return c10::kLong;
  return complex ? c10::typeMetaToScalarType(c10::get_default_complex_dtype()) : c10::get_default_dtype_as_scalartype();
}

// One call: the arguments of the stack as the core's tagged array, then its results as tensors.
class Call {
 public:
  Call(const Form& form, Stack& stack)
      : form_(form), stack_(stack), in_(stack.data() + stack.size() - form.nstack, form.nstack) {}

  // False if the row refuses these dtypes: the host may know better, and has the words if it does not.
  bool run() {
    bind_outs();
    for (int i = 0; i < form_.nargs; i++) bind(i);
    if (form_.kind == Form::kInplace) check_written();
    if (device_ < 0) device_ = current_device();
    const bool inplace = form_.kind == Form::kInplace;
    const size_t n = static_cast<size_t>(elements_) * form_.noutputs;
    tp_result* results = scratch_.take<tp_result>(n ? n : 1);
    tp_status status = tp_call(form_.row, device_, args_, form_.nargs, inplace ? form_.writes : nullptr, results);
    if (C10_UNLIKELY(status != nullptr)) {
      const bool refused = tp_status_code(status) == TP_UNIMPLEMENTED && tp_status_kind(status) == TP_NOT_IMPLEMENTED;
      if (!refused || form_.listed) throw_status(status);
      tp_status_free(status);
      return false;
    }
    if (inplace) {
      finish_inplace();
      return true;
    }
    c10::SmallVector<at::Tensor, AT_MAX_OUTS> made;
    for (size_t i = 0; i < n; i++) made.push_back(take(results[i]));
    if (form_.kind == Form::kOut) {
      finish_out(made);
    } else {
      finish_functional(made);
    }
    return true;
  }

 private:
  void note_device(const at::Tensor& t) {
    const c10::DeviceIndex index = t.device().index();
    if (device_ < 0) device_ = index;
    if (C10_UNLIKELY(index != device_)) refuse_device(t);
  }

  [[noreturn]] C10_NOINLINE void refuse_device(const at::Tensor& t) {
    const int ours = device_ >= 0 ? device_ : first_device(in_);
    TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two devices, ",
                c10::Device(kDevice, static_cast<c10::DeviceIndex>(ours)), " and ", t.device(), "! (in aten::", form_.name, ")");
  }

  // |place|: host tensors may come along: as indices, or, of no dimension, as numbers.
  enum Place { kOperand, kIndex, kWritten };

  void bind_tensor(const at::Tensor& t, Place place, tp_arg& a) {
    if (!t.defined()) {
      a.tag = TP_ARG_NONE;
    } else if (C10_LIKELY(t.device().type() == kDevice)) {
      note_device(t);
      a.tag = TP_ARG_TENSOR;
      a.view = view_of(t);
    } else if (place == kIndex && t.is_cpu()) {
      if (device_ < 0) device_ = first_device(in_);
      if (device_ < 0) refuse_device(t);
      moved_.push_back(t.to(c10::Device(kDevice, static_cast<c10::DeviceIndex>(device_))));
      a.tag = TP_ARG_TENSOR;
      a.view = view_of(moved_.back());
    } else if (place == kOperand && t.is_cpu() && t.dim() == 0) {
      a.tag = TP_ARG_SCALAR;
      a.scalar = number_of(t);
    } else {
      refuse_device(t);
    }
  }

  void bind_tensors(const IValue& v, Place place, tp_arg& a) {
    const auto list = v.toListRef();
    tp_arg* elements = scratch_.take<tp_arg>(list.size());
    for (size_t i = 0; i < list.size(); i++) {
      if (list[i].isNone()) {
        elements[i].tag = TP_ARG_NONE;
      } else {
        bind_tensor(list[i].toTensor(), place, elements[i]);
      }
    }
    a.tag = TP_ARG_LIST;
    a.n = static_cast<uint32_t>(list.size());
    a.list = elements;
    if (form_.listed && !sized_) {
      elements_ = static_cast<int>(list.size());
      sized_ = true;
    }
  }

  void bind_ints(const IValue& v, tp_arg& a) {
    a.tag = TP_ARG_INTS;
    if (!v.isList()) {
      int64_t* one = scratch_.take<int64_t>(1);
      *one = v.toInt();
      a.n = 1;
      a.ints = one;
      return;
    }
    const auto list = v.toListRef();
    int64_t* ints = scratch_.take<int64_t>(list.size());
    for (size_t i = 0; i < list.size(); i++) ints[i] = list[i].isBool() ? list[i].toBool() : list[i].toInt();
    a.n = static_cast<uint32_t>(list.size());
    a.ints = ints;
  }

  void bind_floats(const IValue& v, tp_arg& a) {
    const auto list = v.toListRef();
    double* floats = scratch_.take<double>(list.size());
    for (size_t i = 0; i < list.size(); i++) floats[i] = list[i].toDouble();
    a.tag = TP_ARG_FLOATS;
    a.n = static_cast<uint32_t>(list.size());
    a.floats = floats;
  }

  void bind_scalars(const IValue& v, tp_arg& a) {
    const auto list = v.toListRef();
    tp_arg* elements = scratch_.take<tp_arg>(list.size());
    for (size_t i = 0; i < list.size(); i++) {
      elements[i].tag = TP_ARG_SCALAR;
      elements[i].scalar = number_of(list[i].toScalar());
    }
    a.tag = TP_ARG_LIST;
    a.n = static_cast<uint32_t>(list.size());
    a.list = elements;
  }

  void bind_device(const IValue& v, tp_arg& a) {
    const c10::DeviceIndex index = device_index(v.toDevice());
    if (device_ < 0) device_ = index;
    a = int_arg(index);
  }

  void bind_none(int i, tp_arg& a) {
    a.tag = TP_ARG_NONE;
    if (i == form_.dtype_arg && device_ < 0 && form_.kind == Form::kFunctional)
      a = int_arg(dtype_of(factory_dtype(form_, in_)));
    // CPU reductions and scans accumulate in the dtype of the tensor they write.
    if (form_.letters[i] == 'd' && form_.kind == Form::kOut && form_.dtype_arg < 0 && !form_.listed && form_.name.rfind("linalg_", 0) != 0)
      a = int_arg(dtype_of(in_[static_cast<size_t>(form_.outs[0])].toTensor().scalar_type()));
  }

  void bind(int i) {
    tp_arg& a = args_[i];
    const int8_t at = form_.where[i];
    if (C10_UNLIKELY(at < 0)) {
      a.tag = TP_ARG_NONE;
      if (at == kDtypeOfOut) a = int_arg(dtype_of(in_[static_cast<size_t>(form_.outs[0])].toTensor().scalar_type()));
      return;
    }
    const IValue& v = in_[static_cast<size_t>(at)];
    if (v.isNone()) return bind_none(i, a);
    const Place place = form_.written >> i & 1 ? kWritten : kOperand;
    switch (form_.letters[i]) {
      case 'T': return bind_tensor(v.toTensor(), place, a);
      case 'L': return bind_tensors(v, place, a);
      case 'O': return bind_tensors(v, kIndex, a);
      case 'a':
      case 's':
      case 'x':
        a.tag = TP_ARG_SCALAR;
        a.scalar = number_of(v.toScalar());
        return;
      case 'X': return bind_scalars(v, a);
      case 'f':
      case 'y':
        a.tag = TP_ARG_FLOAT;
        a.f = v.isInt() ? static_cast<double>(v.toInt()) : v.toDouble();
        return;
      case 'I':
      case 'N':
      case 'B': return bind_ints(v, a);
      case 'F': return bind_floats(v, a);
      default: return bind_plain(form_.letters[i], v, a);
    }
  }

  void bind_plain(char letter, const IValue& v, tp_arg& a) {
    switch (letter) {
      case 'b': a = int_arg(v.toBool()); return;
      case 'd': a = int_arg(dtype_of(v.toScalarType())); return;
      case 'D': return bind_device(v, a);
      case 'S':
        a.tag = TP_ARG_STR;
        a.str = v.toStringRef().c_str();
        a.n = static_cast<uint32_t>(v.toStringRef().size());
        return;
      case 'G':
        a.tag = TP_ARG_GENERATOR;
        a.gen = generator_of(v.toGenerator());
        return;
      default: a = int_arg(v.toInt()); return; // n i m l
    }
  }

  // Out tensors are checked before anything runs: a refused call has no effect.
  void bind_outs() {
    if (form_.kind != Form::kOut) return;
    for (int k = 0; k < form_.noutputs; k++) {
      const IValue& v = in_[static_cast<size_t>(form_.outs[k])];
      if (v.isTensor()) {
        check_out(v.toTensor());
      } else {
        for (const IValue& element : v.toListRef()) check_out(element.toTensor());
      }
    }
  }

  void check_out(const at::Tensor& out) {
    if (out.device().type() != kDevice) refuse_device(out);
    note_device(out);
    at::assert_no_internal_overlap(out);
    for (const IValue& v : in_)
      if (v.isTensor() && v.toTensor().defined()) refuse_partial_overlap(out, v.toTensor());
  }

  static void refuse_partial_overlap(const at::Tensor& written, const at::Tensor& read) {
    if (written.unsafeGetTensorImpl() == read.unsafeGetTensorImpl() || read.device().type() != kDevice) return;
    if (written.storage().is_alias_of(read.storage())) at::assert_no_partial_overlap(written, read);
  }

  void check_written() {
    for (int k = 0; k < form_.noutputs; k++) {
      const IValue& v = in_[static_cast<size_t>(form_.writes[k])];
      if (!v.isTensor()) continue;
      const at::Tensor& self = v.toTensor();
      at::assert_no_internal_overlap(self);
      for (const IValue& other : in_)
        if (other.isTensor() && other.toTensor().defined()) refuse_partial_overlap(self, other.toTensor());
    }
  }

  // An output that the core left out (masked by an output_mask) is an undefined tensor.
  at::Tensor take(const tp_result& r) {
    if (!r.cell) return {};
    return make_tensor(r.cell, static_cast<tp_dtype>(r.dtype), {r.sizes, r.rank}, {r.strides, r.rank},
                       static_cast<c10::DeviceIndex>(device_));
  }

  void finish_inplace() {
    if (!form_.returns) return drop(stack_, form_.nstack);
    c10::SmallVector<IValue, 2> kept;
    for (int k = 0; k < form_.noutputs; k++) kept.push_back(stack_.end()[form_.writes[k] - form_.nstack]);
    replace(kept);
  }

  void finish_functional(c10::SmallVectorImpl<at::Tensor>& made) {
    if (!form_.listed) {
      drop(stack_, form_.nstack);
      for (at::Tensor& t : made) stack_.emplace_back(std::move(t));
      return;
    }
    c10::SmallVector<IValue, 2> lists;
    for (int k = 0; k < form_.noutputs; k++) {
      c10::List<at::Tensor> list;
      for (size_t i = static_cast<size_t>(k); i < made.size(); i += form_.noutputs)
        if (made[i].defined()) list.push_back(std::move(made[i]));
      lists.emplace_back(std::move(list));
    }
    replace(lists);
  }

  void finish_out(c10::SmallVectorImpl<at::Tensor>& made) {
    c10::SmallVector<IValue, 2> kept;
    for (int k = 0; k < form_.noutputs; k++) {
      const IValue& v = in_[static_cast<size_t>(form_.outs[k])];
      if (v.isTensor()) {
        write_out(v.toTensor(), made[static_cast<size_t>(k)]);
      } else {
        const auto list = v.toListRef();
        TORCH_CHECK(static_cast<int>(list.size()) == elements_, "Tensor lists must have the same number of tensors, got ",
                    elements_, " and ", list.size(), " (in aten::", form_.name, ")");
        for (size_t i = 0; i < list.size(); i++)
          write_out(list[i].toTensor(), made[i * form_.noutputs + static_cast<size_t>(k)]);
      }
      if (form_.returns) kept.push_back(v);
    }
    replace(kept);
  }

  static void write_out(const at::Tensor& out, const at::Tensor& result) {
    if (!result.defined()) return;
    TORCH_CHECK(c10::canCast(result.scalar_type(), out.scalar_type()), "result type ", result.scalar_type(),
                " can't be cast to the desired output type ", out.scalar_type());
    if (at::native::resize_output(out, result.sizes()))
      out.unsafeGetTensorImpl()->set_sizes_and_strides(result.sizes(), result.strides());
    const tp_view to = view_of(out), from = view_of(result);
    TP_THROW_IF(tp_copy(&to, &from));
  }

  void replace(c10::SmallVectorImpl<IValue>& values) {
    drop(stack_, form_.nstack);
    for (IValue& v : values) stack_.push_back(std::move(v));
  }

  static void drop(Stack& stack, size_t n) { stack.erase(stack.end() - static_cast<std::ptrdiff_t>(n), stack.end()); }

  const Form& form_;
  Stack& stack_;
  c10::ArrayRef<IValue> in_;
  Scratch scratch_;
  tp_arg args_[AT_MAX_ARGS];
  c10::SmallVector<at::Tensor, 2> moved_;
  int device_ = -1;
  int elements_ = 1;
  bool sized_ = false;
};

struct RowKernel final : c10::OperatorKernel {
  explicit RowKernel(Form form) : form(std::move(form)) {}
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
    if (!Call(form, *stack).run()) run_on_host(op, stack);
  }
  const Form form;
};

std::vector<RowForms>& registered() {
  static auto* all = new std::vector<RowForms>;
  return *all;
}

std::set<std::string>& handwritten() {
  static auto* names = new std::set<std::string>;
  return *names;
}

void register_row(int row) {
  static const char* const kinds[] = {"row", "sized", "foreach", "internal", "cpu"};
  const at_row& entry = *at_row_get(row);
  RowForms record{entry.name, kinds[entry.kind], {}};
  torch::Library& aten = aten_library(c10::DispatchKey::PrivateUse1);
  if (entry.kind != AT_INTERNAL)
    for (Form& form : forms_of(row)) {
      const std::string name = form.name;
      record.forms.push_back(name);
      if (is_handwritten(name)) continue;
      if (entry.kind == AT_CPU) {
        aten.impl(name.c_str(), fallback_kernel());
      } else {
        auto kernel = c10::BoxedKernel::makeFromFunctor(std::make_unique<RowKernel>(std::move(form)));
        aten.impl(name.c_str(), torch::CppFunction::makeFromBoxedKernel(std::move(kernel)));
      }
    }
  registered().push_back(std::move(record));
}

} // namespace

torch::Library& aten_library(c10::DispatchKey key) {
  static auto* libraries = new std::map<c10::DispatchKey, torch::Library*>;
  torch::Library*& library = (*libraries)[key];
  if (!library) library = new torch::Library(torch::Library::IMPL, "aten", key, __FILE__, __LINE__);
  return *library;
}

bool is_handwritten(const std::string& name) { return handwritten().count(name) > 0; }
void note_handwritten(const std::string& name) { handwritten().insert(name); }
const std::vector<RowForms>& row_forms() { return registered(); }

void register_rows() {
  for (int row = 0; row < at_row_count(); row++) register_row(row);
}

} // namespace torch_pjrt
