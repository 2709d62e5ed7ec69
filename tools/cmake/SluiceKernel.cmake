# sluice_runtime_library(name SOURCES a.cpp b_avx2.cpp ... DEPENDS sluice_base ...)
#
# A static, position-independent runtime library that knows no LLVM. The suffix of a source file picks its
# instruction-set flags (_avx2, _avx512ifma), so a new kernel variant needs no flag of its own. No compiler may fuse
# operations on floating point that the source does not: exact sums and products depend on each rounding.
function(sluice_runtime_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  foreach(source ${ARG_SOURCES})
    if(source MATCHES "_avx2\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma;-mbmi2")
    elseif(source MATCHES "_avx512ifma\\.cpp$")
      set_source_files_properties(${source} PROPERTIES
        COMPILE_OPTIONS "-mavx512f;-mavx512dq;-mavx512vl;-mavx512bw;-mavx512ifma;-mavx2;-mfma;-mbmi2")
    endif()
  endforeach()
endfunction()
