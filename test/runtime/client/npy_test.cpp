//===- npy_test.cpp - NumPy's array files ----------------------------------------------------===//
#include "runtime/client/npy.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;

/// A file as NumPy writes it: magic, version, header padded to a multiple of 64, values.
std::vector<uint8_t> makeFile(std::string header, const std::vector<uint8_t> &values,
                              uint8_t major = 1) {
  size_t lengthBytes = major == 1 ? 2 : 4;
  while ((8 + lengthBytes + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  for (size_t byte = 0; byte < lengthBytes; ++byte)
    file += static_cast<char>(header.size() >> (8 * byte));
  file += header;
  file.append(values.begin(), values.end());
  return {file.begin(), file.end()};
}

template <typename T> std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T> std::vector<uint8_t> reversedBytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> bytes = bytesOf(values);
  for (size_t k = 0; k < bytes.size(); k += sizeof(T))
    std::reverse(bytes.begin() + static_cast<ptrdiff_t>(k),
                 bytes.begin() + static_cast<ptrdiff_t>(k + sizeof(T)));
  return bytes;
}

const std::vector<uint8_t> six = bytesOf<double>({1, 2, 3, 4, 5, 6});

std::string messageOf(const std::string &header, const std::vector<uint8_t> &values = six) {
  return readNpy(makeFile(header, values), "x.npy").message();
}

/// The bytes of numpy.save(f, numpy.array([[1.0, -2.5]])), NumPy 2.
TEST(Npy, WritesWhatNumpyWrites) {
  std::string expected = "\x93NUMPY\x01";
  expected += '\0';
  expected += "v";
  expected += '\0';
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  expected.resize(127, ' ');
  expected += '\n';
  for (uint8_t byte : bytesOf<double>({1.0, -2.5}))
    expected += static_cast<char>(byte);
  std::vector<uint8_t> written = writeNpy({{1, 2}, {1.0, -2.5}});
  EXPECT_EQ(std::string(written.begin(), written.end()), expected);
}

TEST(Npy, RoundTrip) {
  for (const Tensor &tensor :
       {Tensor{{2, 3}, {1, 2, 3, 4, 5, 6}}, Tensor{{}, {7}}, Tensor{{0, 4}, {}},
        Tensor{{1}, {-0.5}}, Tensor{{2, 1}, {1, 2, 3, 4}, true}}) {
    std::vector<uint8_t> file = writeNpy(tensor);
    EXPECT_EQ((file.size() - 8 * tensor.values.size()) % 64, 0u);
    Expected<Tensor> back = readNpy(file, "x.npy");
    ASSERT_TRUE(back) << back.message();
    EXPECT_EQ(back->shape, tensor.shape);
    EXPECT_EQ(back->values, tensor.values);
    EXPECT_EQ(back->isComplex, tensor.isComplex);
  }
}

/// Of numpy.array([[1 + 2j, 3], [4, 5 - 6j]]): in the order of a Tensor, whichever the file has.
TEST(Npy, ComplexValues) {
  const std::vector<double> expected{1, 2, 3, 0, 4, 0, 5, -6};
  auto read = [](const char *type, const char *isFortran, const std::vector<uint8_t> &values) {
    std::string header = std::string("{'descr': '") + type + "', 'fortran_order': " + isFortran +
                         ", 'shape': (2, 2), }";
    Expected<Tensor> tensor = readNpy(makeFile(header, values), "x.npy");
    EXPECT_TRUE(tensor) << tensor.message();
    EXPECT_TRUE(tensor && tensor->isComplex);
    return tensor ? tensor->values : std::vector<double>();
  };
  const std::vector<uint8_t> values = bytesOf<double>(expected);
  EXPECT_EQ(read("<c16", "False", values), expected);
  EXPECT_EQ(read("<c16", "True", bytesOf<double>({1, 2, 4, 0, 3, 0, 5, -6})), expected);
  EXPECT_EQ(read("<c8", "False", bytesOf<float>({1, 2, 3, 0, 4, 0, 5, -6})), expected);
  // Each part has its bytes in the order that the type says.
  EXPECT_EQ(read(">c16", "False", reversedBytesOf(expected)), expected);
  EXPECT_EQ(messageOf("{'descr': '<c16', 'fortran_order': False, 'shape': (6,), }"),
            "x.npy: 48 bytes of values do not fill the shape (6,) of 16 bytes a value");
}

TEST(Npy, FloatsAndLaterVersions) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  for (uint8_t major : {1, 2, 3}) {
    Expected<Tensor> tensor =
        readNpy(makeFile(header, bytesOf<float>({1.5f, -2, 0}), major), "x.npy");
    ASSERT_TRUE(tensor) << tensor.message();
    EXPECT_EQ(tensor->values, (std::vector<double>{1.5, -2, 0}));
  }
}

/// Reads `values` as NumPy saves them with this type, in both orders of bytes.
template <typename T>
void expectReads(const std::string &type, const std::vector<T> &values,
                 const std::vector<double> &expected) {
  for (char order : {'<', '>', '|', '='}) {
    std::string header = "{'descr': '" + std::string(1, order) + type +
                         "', 'fortran_order': False, 'shape': (3,), }";
    Expected<Tensor> tensor = readNpy(
        makeFile(header, order == '>' ? reversedBytesOf(values) : bytesOf(values)), "x.npy");
    ASSERT_TRUE(tensor) << tensor.message();
    EXPECT_EQ(tensor->values, expected) << order << type;
  }
}

TEST(Npy, EveryTypeInBothByteOrders) {
  expectReads<double>("f8", {1.5, -2, 1e300}, {1.5, -2, 1e300});
  expectReads<float>("f4", {1.5f, -2, 0}, {1.5, -2, 0});
  expectReads<int64_t>("i8", {-1, int64_t(1) << 40, 7}, {-1, 0x1p40, 7});
  expectReads<int32_t>("i4", {-1, -2147483647 - 1, 7}, {-1, -0x1p31, 7});
  expectReads<int16_t>("i2", {-1, 300, 7}, {-1, 300, 7});
  expectReads<int8_t>("i1", {-1, -128, 7}, {-1, -128, 7});
  expectReads<uint64_t>("u8", {~uint64_t(0), 1, 2}, {0x1p64, 1, 2});
  expectReads<uint32_t>("u4", {~uint32_t(0), 1, 2}, {0x1p32 - 1, 1, 2});
  expectReads<uint16_t>("u2", {65535, 1, 2}, {65535, 1, 2});
  expectReads<uint8_t>("u1", {255, 1, 2}, {255, 1, 2});
  expectReads<uint8_t>("b1", {0, 1, 1}, {0, 1, 1});
}

/// x[i][j][k] = 100 i + 10 j + k, saved in Fortran order: the first index runs fastest.
TEST(Npy, FortranOrder) {
  std::vector<double> saved, expected;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        saved.push_back(100 * i + 10 * j + k);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k)
        expected.push_back(100 * i + 10 * j + k);
  Expected<Tensor> tensor = readNpy(
      makeFile("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4), }", bytesOf(saved)),
      "x.npy");
  ASSERT_TRUE(tensor) << tensor.message();
  EXPECT_EQ(tensor->shape, (std::vector<uint64_t>{2, 3, 4}));
  EXPECT_EQ(tensor->values, expected);
  const char *scalar = "{'descr': '<f8', 'fortran_order': True, 'shape': (), }";
  EXPECT_EQ(readNpy(makeFile(scalar, bytesOf<double>({7})), "x.npy")->values[0], 7);
  const char *empty = "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4), }";
  EXPECT_TRUE(readNpy(makeFile(empty, {}), "x.npy")->values.empty());
}

TEST(Npy, FieldsInAnyOrder) {
  EXPECT_EQ(messageOf("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f8\"}"), "");
}

TEST(Npy, Refusals) {
  struct Case {
    const char *header, *message;
  };
  const Case cases[] = {
      {"{'descr': '<f16', 'fortran_order': False, 'shape': (3,), }",
       "x.npy: its values are neither complex, float64, float32, integers nor bool; save "
       "x.astype('float64')"},
      {"{'descr': '', 'fortran_order': False, 'shape': (3,), }",
       "x.npy: its values are neither complex, float64, float32, integers nor bool; save "
       "x.astype('float64')"},
      {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }",
       "x.npy: its values are neither complex, float64, float32, integers nor bool; save "
       "x.astype('float64')"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (7,), }",
       "x.npy: 48 bytes of values do not fill the shape (7,) of 8 bytes a value"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808, 2), }",
       "x.npy: 48 bytes of values do not fill the shape (9223372036854775808, 2) of 8 bytes a "
       "value"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-6,), }",
       "x.npy: 'shape' must hold integers"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6), }",
       "x.npy: it has more than 8 dimensions"},
      {"{'descr': '<f8', 'fortran_order': False, }",
       "x.npy: its header must have 'descr', 'fortran_order' and 'shape'"},
      {"{'descr': '<f8', 'descr': '<f8', }", "x.npy: its header has 'descr' twice"},
      {"{'descr': '<f8', 'other': 1, }", "x.npy: its header has an unknown field"},
      {"{'descr': '<f8' 'shape': (6,)}", "x.npy: its header lacks a ',' after 'descr'"},
      {"{'descr' '<f8'}", "x.npy: its header lacks a ':' after 'descr'"},
      {"{'descr: }", "x.npy: its header has a text without an end"},
      {"{", "x.npy: its header lacks a quoted text"},
      {"[1]", "x.npy: its header is no dictionary"},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (6,), }",
       "x.npy: 'fortran_order' must be True or False"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': [6], }",
       "x.npy: 'shape' must be a tuple"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2 3), }", "x.npy: 'shape' lacks a ','"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (6,), } x",
       "x.npy: its header goes on after the dictionary"},
  };
  for (const Case &wrong : cases)
    EXPECT_EQ(messageOf(wrong.header), wrong.message);
}

TEST(Npy, EveryTruncationIsRefused) {
  std::vector<uint8_t> file = writeNpy({{2, 3}, {1, 2, 3, 4, 5, 6}});
  for (size_t size = 0; size < file.size(); ++size) {
    Status status = readNpy(std::span(file).first(size), "x.npy").status();
    EXPECT_EQ(status.code(), StatusCode::corruptFile) << size;
    EXPECT_TRUE(status.message().starts_with("x.npy: ")) << status.message();
  }
  file[6] = 4;
  EXPECT_EQ(readNpy(file, "x.npy").message(), "x.npy: .npy version 4 is not supported; 1 to 3 are");
}

} // namespace
