# The core: C11, no PyTorch, no Python.
file(GLOB core_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/*/*.c)
add_library(core STATIC ${core_sources})
target_include_directories(core PUBLIC ${CMAKE_SOURCE_DIR}/core)
target_include_directories(core SYSTEM PRIVATE ${PJRT_INCLUDE_DIR})
find_package(Threads REQUIRED)
target_link_libraries(core PUBLIC Threads::Threads ${CMAKE_DL_LIBS} m)

set(c_options -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
              $<$<BOOL:${TORCH_PJRT_WERROR}>:-Werror>)
target_compile_options(core PRIVATE ${c_options})
if(TORCH_PJRT_SANITIZE)
  target_compile_options(core PUBLIC -fsanitize=${TORCH_PJRT_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(core PUBLIC -fsanitize=${TORCH_PJRT_SANITIZE})
endif()
