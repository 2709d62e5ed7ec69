//===- value_files_test.cpp - a program's values as .npy or .csv -----------------------------===//
#include "runtime/client/value_files.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;
using Shape = std::vector<uint64_t>;

std::string testPath(const char *name) { return testing::TempDir() + "value_files_test_" + name; }

Shape csvShape(const std::string &text, Shape shape, bool batched) {
  std::string path = testPath("x.csv");
  std::ofstream(path) << text;
  Expected<Tensor> values =
      readValues(path, {"x", std::move(shape), -1, 1, 1, 1, batched, 0, {"2^30", 0x1p30, 0}});
  EXPECT_TRUE(values) << values.message();
  std::filesystem::remove(path);
  return values->shape;
}

TEST(ValueFiles, ALineIsAnItem) {
  EXPECT_EQ(csvShape("1,2,3\n4,5,6\n", {3}, true), (Shape{2, 3}));
  EXPECT_EQ(csvShape("1,2,3,4\n", {2, 2}, true), (Shape{1, 2, 2}));
  EXPECT_EQ(csvShape("1\n2\n3\n", {}, true), (Shape{3}));
  EXPECT_EQ(csvShape("1,2,3\n", {3}, false), (Shape{3}));
  EXPECT_EQ(csvShape("1\n2\n3\n", {3}, false), (Shape{3}));
  EXPECT_EQ(csvShape("1,2\n3,4\n", {2, 2}, false), (Shape{2, 2}));
  EXPECT_EQ(csvShape("7\n", {}, false), (Shape{}));
}

TEST(ValueFiles, WhatDoesNotFitIsLeftForEncryptionToRefuse) {
  EXPECT_EQ(csvShape("1,2\n", {3}, true), (Shape{1, 2}));
}

TEST(ValueFiles, RoundTrip) {
  Tensor values{{2, 2}, {1, 2, 3, 4}};
  ManifestTensor tensor{"y", {2}, -9, 9, 2, 2, true, 0, {"2^30", 0x1p30, 0}};
  for (const char *name : {"y.npy", "y.csv"}) {
    std::string path = testPath(name);
    ASSERT_TRUE(writeValues(path, values).isOk());
    Expected<Tensor> back = readValues(path, tensor);
    ASSERT_TRUE(back) << back.message();
    EXPECT_EQ(back->shape, values.shape);
    EXPECT_EQ(back->values, values.values);
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::remove(path);
  }
}

TEST(ValueFiles, ComplexValuesAreForNpyOnly) {
  const Tensor values{{1}, {1, 2}, true};
  const std::string path = testPath("y.npy");
  ASSERT_TRUE(writeValues(path, values).isOk());
  EXPECT_TRUE(readValues(path, {})->isComplex);
  std::filesystem::remove(path);
  EXPECT_EQ(writeValues("y.csv", values).message(),
            "y.csv: complex values are written as .npy, not as .csv");
  EXPECT_FALSE(std::filesystem::exists("y.csv"));
}

TEST(ValueFiles, OtherExtensionsAreRefused) {
  EXPECT_EQ(writeValues("y.txt", {}).message(),
            "y.txt: values are read and written as .npy or .csv");
  EXPECT_EQ(readValues(testPath("absent.npy"), {}).status().code(), StatusCode::notFound);
}

} // namespace
