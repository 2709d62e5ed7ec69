# Libraries from a folder that bench/gpu/pack.py made, for machines that have none of them and no network:
# -DSLUICE_BUNDLE=FOLDER stands in for pkg-config's libsodium, nlohmann_json and GoogleTest.
add_library(PkgConfig::SODIUM STATIC IMPORTED)
set_target_properties(PkgConfig::SODIUM PROPERTIES
  IMPORTED_LOCATION ${SLUICE_BUNDLE}/lib/libsodium.a INTERFACE_INCLUDE_DIRECTORIES ${SLUICE_BUNDLE}/include)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${SLUICE_BUNDLE}/include)
if(SLUICE_ENABLE_TESTS)
  # Makes GTest::gtest and GTest::gtest_main.
  add_subdirectory(${SLUICE_BUNDLE}/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  foreach(library gtest gtest_main)
    set_target_properties(${library} PROPERTIES CXX_VISIBILITY_PRESET default)
    target_compile_options(${library} PRIVATE -w)
  endforeach()
endif()
