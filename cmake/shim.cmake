# torch_pjrt._C: the shim and the core in one Python extension.
set(find_torch "import torch, os
print(os.path.dirname(torch.__file__), torch.__version__.split('+')[0], int(torch.compiled_with_cxx11_abi()), sep=';')")
execute_process(COMMAND ${Python_EXECUTABLE} -c "${find_torch}" OUTPUT_VARIABLE torch_facts
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE torch_missing)
if(torch_missing)
  message(FATAL_ERROR "Building torch_pjrt needs the torch it will run with in the building Python: install torch==2.13.0 "
                      "there and build with `pip install --no-build-isolation .`")
endif()
list(GET torch_facts 0 torch_dir)
list(GET torch_facts 1 torch_version)
list(GET torch_facts 2 torch_cxx11_abi)

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
file(GLOB shim_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/shim/*.cpp)
Python_add_library(_C MODULE WITH_SOABI ${shim_sources})
target_compile_features(_C PRIVATE cxx_std_20)
target_compile_options(_C PRIVATE -Wall -Wextra -Wno-missing-field-initializers $<$<BOOL:${TORCH_PJRT_WERROR}>:-Werror>)
target_compile_definitions(_C PRIVATE _GLIBCXX_USE_CXX11_ABI=${torch_cxx11_abi})
target_include_directories(_C SYSTEM PRIVATE ${torch_dir}/include ${torch_dir}/include/torch/csrc/api/include)
target_link_directories(_C PRIVATE ${torch_dir}/lib)
# No run path: `import torch` has loaded these libraries before.
target_link_libraries(_C PRIVATE core torch_python torch_cpu c10)
set_target_properties(_C PROPERTIES SKIP_BUILD_RPATH ON)
target_link_options(_C PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,nodelete)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/_build.py CONTENT [[
"""What this build was made for; written by CMake."""

TORCH_VERSION = "@torch_version@"
]] @ONLY)
install(TARGETS _C LIBRARY DESTINATION torch_pjrt)
install(FILES ${CMAKE_BINARY_DIR}/_build.py DESTINATION torch_pjrt)
