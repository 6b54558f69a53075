# Imported targets of the third-party libraries in build/vendor/<flavour>, built when missing or
# made by another recipe (needs Node 20). A source tree of your own is handed on:
#   cmake --preset release -DHDF5_SOURCE_DIR=/path/to/hdf5      (or PCRE2_, ZSTD_, CJSON_, …)
if(EMSCRIPTEN)
  set(SP_FLAVOUR wasm)
elseif(SP_SANITIZE)
  set(SP_FLAVOUR debug)
else()
  set(SP_FLAVOUR native)
endif()
set(SP_VENDOR ${CMAKE_CURRENT_SOURCE_DIR}/build/vendor/${SP_FLAVOUR})

find_program(SP_NODE NAMES node nodejs REQUIRED)
set(env)
foreach(name HDF5 PCRE2 LIBDEFLATE ZSTD LZF CJSON LIBYAML)
  if(${name}_SOURCE_DIR)
    list(APPEND env ${name}_SOURCE_DIR=${${name}_SOURCE_DIR})
  endif()
endforeach()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env ${env} ${SP_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/vendor/setup.mjs ${SP_FLAVOUR} --quiet
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "third-party libraries are missing: see the line of setup above")
endif()

foreach(name hdf5 pcre2 libdeflate zstd lzf cjson yaml)
  add_library(vendor::${name} STATIC IMPORTED)
  set_target_properties(vendor::${name} PROPERTIES
    IMPORTED_LOCATION ${SP_VENDOR}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}${name}.a
    INTERFACE_INCLUDE_DIRECTORIES ${SP_VENDOR}/include)
endforeach()
target_compile_definitions(vendor::pcre2 INTERFACE PCRE2_CODE_UNIT_WIDTH=8 PCRE2_STATIC)
set_property(TARGET vendor::hdf5 PROPERTY INTERFACE_LINK_LIBRARIES m ${CMAKE_DL_LIBS})
