# sluice_unit_test(name SOURCES a_test.cpp ... LIBS sluice_ring ...)
#
# A GoogleTest binary in ${build}/unit; lit finds and runs everything there (test/unit.cfg in lit.cfg.py).
function(sluice_unit_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  set_property(GLOBAL APPEND PROPERTY SLUICE_UNIT_TESTS ${name})
endfunction()

# sluice_fuzz_target(name SOURCES a_fuzz.cpp ... LIBS sluice_wire ...)
#
# A libFuzzer binary in ${build}/fuzz; its corpus is test/fuzz/corpus/name (tools/dev/run_sanitizers.sh runs them all).
function(sluice_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(fuzz-${name} ${ARG_SOURCES})
  target_compile_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz-${name} PRIVATE ${ARG_LIBS})
  set_target_properties(fuzz-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
endfunction()
