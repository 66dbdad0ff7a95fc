# PJRT_INCLUDE_DIR: the folder of pjrt_c_api.h in the installed xla-cpu-pjrt package.
set(find_header "import importlib.util as u, os
s = u.find_spec('xla_plugins.xla_cpu_pjrt')
print(os.path.join(s.submodule_search_locations[0], 'include'))")
execute_process(COMMAND ${Python_EXECUTABLE} -c "${find_header}" OUTPUT_VARIABLE PJRT_INCLUDE_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT EXISTS "${PJRT_INCLUDE_DIR}/pjrt_c_api.h")
  message(FATAL_ERROR "Building torch_pjrt needs pjrt_c_api.h of the package xla-cpu-pjrt: install the pinned packages "
                      "with `pip install -r requirements/build.txt` and build with `pip install --no-build-isolation .`")
endif()
