//===- npy_test.cpp - NumPy's array files ----------------------------------------------------===//
#include "tools/sluice-client/npy.h"

#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::tools;
using client::Tensor;

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
  for (const Tensor &tensor : {Tensor{{2, 3}, {1, 2, 3, 4, 5, 6}}, Tensor{{}, {7}},
                               Tensor{{0, 4}, {}}, Tensor{{1}, {-0.5}}}) {
    std::vector<uint8_t> file = writeNpy(tensor);
    EXPECT_EQ((file.size() - 8 * tensor.values.size()) % 64, 0u);
    Expected<Tensor> back = readNpy(file, "x.npy");
    ASSERT_TRUE(back) << back.message();
    EXPECT_EQ(back->shape, tensor.shape);
    EXPECT_EQ(back->values, tensor.values);
  }
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

TEST(Npy, FieldsInAnyOrder) {
  EXPECT_EQ(messageOf("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f8\"}"), "");
}

TEST(Npy, Refusals) {
  struct Case {
    const char *header, *message;
  };
  const Case cases[] = {
      {"{'descr': '>f8', 'fortran_order': False, 'shape': (6,), }",
       "x.npy: its values are not little-endian doubles or floats ('<f8', '<f4'); save "
       "x.astype('float64')"},
      {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
       "x.npy: it is in Fortran order; save numpy.ascontiguousarray(x)"},
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
