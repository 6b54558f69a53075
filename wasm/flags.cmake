# How the WebAssembly modules are compiled and linked. Plain modules: no JavaScript of Emscripten's.
if(NOT DEFINED ENV{NODE_PATH})
  set(ENV{NODE_PATH} /usr/share/nodejs) # Debian keeps the linker's JavaScript parser there
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -flto -DNDEBUG")

# sp_wasm_module(<name> <package> <sources>): packages/<package>/dist/<name>.wasm
function(sp_wasm_module name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE sp)
  set(dist ${CMAKE_CURRENT_SOURCE_DIR}/packages/${name}/dist)
  set_target_properties(${name} PROPERTIES SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY ${dist}
    LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/wasm/imports.js;${CMAKE_CURRENT_SOURCE_DIR}/wasm/flags.cmake")
  target_link_options(${name} PRIVATE -O3 -flto --no-entry
    "SHELL:--js-library ${CMAKE_CURRENT_SOURCE_DIR}/wasm/imports.js"
    "SHELL:-s ALLOW_MEMORY_GROWTH=1" "SHELL:-s MAXIMUM_MEMORY=4GB" "SHELL:-s ABORTING_MALLOC=0"
    "SHELL:-s TOTAL_STACK=1MB" -Wl,--stack-first
    "SHELL:-s ERROR_ON_UNDEFINED_SYMBOLS=1" "SHELL:-s DYNAMIC_EXECUTION=0")
endfunction()
