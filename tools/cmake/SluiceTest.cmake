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
