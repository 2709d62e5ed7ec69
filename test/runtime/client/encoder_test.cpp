//===- encoder_test.cpp - tensors to slots and back ------------------------------------------===//
#include "runtime/client/encoder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace {

using namespace sluice;
using namespace sluice::client;

ManifestTensor makeTensor(std::vector<uint64_t> shape, uint64_t lanes, uint64_t batch,
                          bool batched = true) {
  return {"x", std::move(shape), -100, 100, lanes, batch, batched, 0, {"2^30", 0x1p30, 0}};
}

Tensor counting(std::vector<uint64_t> shape) {
  uint64_t count = 1;
  for (uint64_t size : shape)
    count *= size;
  Tensor out{std::move(shape), std::vector<double>(count)};
  std::iota(out.values.begin(), out.values.end(), 1);
  return out;
}

std::vector<double> reals(const Slots &slots) {
  std::vector<double> out;
  for (std::complex<double> slot : slots) {
    EXPECT_EQ(slot.imag(), 0);
    out.push_back(slot.real());
  }
  return out;
}

/// docs/formats.md: element e of item b at slot e * (n / lanes) + b; (2, 3) is padded to (2, 4).
TEST(Encoder, PacksItemsSideBySide) {
  ManifestTensor tensor = makeTensor({2, 3}, 8, 2);
  Slots slots = *packInput(tensor, 16, counting({2, 2, 3}));
  EXPECT_EQ(reals(slots), (std::vector<double>{1, 7, 2, 8, 3, 9, 0, 0, 4, 10, 5, 11, 6, 12, 0, 0}));
  Tensor back = unpack(tensor, slots, 2);
  EXPECT_EQ(back.shape, (std::vector<uint64_t>{2, 2, 3}));
  EXPECT_EQ(back.values, counting({12}).values);
}

TEST(Encoder, OneItemOfABatch) {
  ManifestTensor tensor = makeTensor({3}, 4, 2);
  Slots slots = *packInput(tensor, 8, counting({3}));
  EXPECT_EQ(reals(slots), (std::vector<double>{1, 0, 2, 0, 3, 0, 0, 0}));
  Tensor back = unpack(tensor, slots, 1);
  EXPECT_EQ(back.shape, (std::vector<uint64_t>{1, 3}));
}

TEST(Encoder, UnbatchedIsCopied) {
  ManifestTensor tensor = makeTensor({3}, 4, 2, false);
  Slots slots = *packInput(tensor, 8, counting({3}));
  EXPECT_EQ(reals(slots), (std::vector<double>{1, 1, 2, 2, 3, 3, 0, 0}));
  Tensor back = unpack(tensor, slots, 1);
  EXPECT_EQ(back.shape, (std::vector<uint64_t>{3}));
  EXPECT_EQ(back.values, counting({3}).values);
}

TEST(Encoder, Scalars) {
  ManifestTensor tensor = makeTensor({}, 1, 4);
  EXPECT_EQ(reals(*packInput(tensor, 4, counting({3}))), (std::vector<double>{1, 2, 3, 0}));
  Tensor one{{}, {5}};
  EXPECT_EQ(reals(*packInput(tensor, 4, one)), (std::vector<double>{5, 0, 0, 0}));
  Slots slots{1, 2, 3, 4};
  EXPECT_EQ(unpack(tensor, slots, 3).values, (std::vector<double>{1, 2, 3}));
}

TEST(Encoder, ComplexElements) {
  ManifestTensor tensor = makeTensor({2}, 2, 2);
  tensor.isComplex = true;
  const Tensor values{{2, 2}, {1, -1, 2, -2, 3, -3, 4, -4}, true};
  Slots slots = *packInput(tensor, 4, values);
  EXPECT_EQ(slots, (Slots{{1, -1}, {3, -3}, {2, -2}, {4, -4}}));
  Tensor back = unpack(tensor, slots, 2);
  EXPECT_TRUE(back.isComplex);
  EXPECT_EQ(back.shape, values.shape);
  EXPECT_EQ(back.values, values.values);
  // Real values are complex ones, but not the other way round.
  EXPECT_EQ(*packInput(tensor, 4, counting({2, 2})), (Slots{1, 3, 2, 4}));
  EXPECT_EQ(packInput(makeTensor({2}, 2, 2), 4, values).status().message(),
            "input 'x': the values are complex, but the program takes real ones");
  Tensor outside = values;
  outside.values[5] = -101; // of item 1, element 0
  EXPECT_EQ(packInput(tensor, 4, outside).status().message(),
            "input 'x', item 1, element [0]: the value is outside of the declared range [-100, "
            "100]; bring the data into it, or compile with a wider range");
}

TEST(Encoder, ShapeMessages) {
  struct Case {
    ManifestTensor tensor;
    std::vector<uint64_t> shape;
    const char *message;
  };
  const Case cases[] = {
      {makeTensor({30}, 32, 256),
       {29},
       "input 'x': shape (29,), but it must be (30,) for one item, or (B, 30) for a batch of B <= "
       "256"},
      {makeTensor({2, 3}, 8, 2),
       {2, 3, 2},
       "input 'x': shape (2, 3, 2), but it must be (2, 3) for one item, or (B, 2, 3) for a batch "
       "of B <= 2"},
      {makeTensor({}, 1, 8),
       {2, 2},
       "input 'x': shape (2, 2), but it must be () for one item, or (B,) for a batch of B <= 8"},
      {makeTensor({3}, 4, 2, false), {1, 3}, "input 'x': shape (1, 3), but it must be (3,)"},
      {makeTensor({30}, 32, 256),
       {0, 30},
       "input 'x': shape (0, 30), but it must be (30,) for one item, or (B, 30) for a batch of B "
       "<= 256"},
      {makeTensor({30}, 32, 256),
       {257, 30},
       "input 'x': 257 items, but one ciphertext holds at most 256; encrypt them in several"},
  };
  for (const Case &wrong : cases) {
    Status status = packInput(wrong.tensor, 8192, counting(wrong.shape)).status();
    EXPECT_EQ(status.code(), StatusCode::invalidArgument);
    EXPECT_EQ(status.message(), wrong.message);
  }
}

TEST(Encoder, ValueMessages) {
  ManifestTensor tensor = makeTensor({2, 3}, 8, 4);
  auto message = [&](double value, const ManifestTensor &target, size_t position) {
    Tensor values = counting(target.batched ? std::vector<uint64_t>{4, 2, 3} : target.shape);
    values.values[position] = value;
    Status status = packInput(target, 32, values).status();
    EXPECT_EQ(status.code(), StatusCode::outOfRange);
    return status.message();
  };
  EXPECT_EQ(message(std::nan(""), tensor, 0), "input 'x', item 0, element [0, 0]: the value is not "
                                              "a number (NaN); finite numbers are needed");
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(-infinity, tensor, 23), "input 'x', item 3, element [1, 2]: the value is "
                                            "infinite; finite numbers are needed");
  EXPECT_EQ(message(100.5, tensor, 11),
            "input 'x', item 1, element [1, 2]: the value is outside of the declared range [-100, "
            "100]; bring the data into it, or compile with a wider range");
  EXPECT_EQ(message(-101, makeTensor({3}, 4, 2, false), 1),
            "input 'x', element [1]: the value is outside of the declared range [-100, 100]; bring "
            "the data into it, or compile with a wider range");
}

TEST(Encoder, BordersOfTheRangeAreInside) {
  Tensor values{{2}, {-100, 100}};
  EXPECT_TRUE(packInput(makeTensor({}, 1, 4), 4, values));
}

} // namespace
