//===- tensor.h - numbers with a shape -------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_TENSOR_H
#define SLUICE_RUNTIME_CLIENT_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::client {

/// Elements in row-major order; their number is the product of the shape. Empty shape: one element.
/// An element is one value or, where they are complex, two: its real and its imaginary part.
struct Tensor {
  std::vector<uint64_t> shape;
  std::vector<double> values;
  bool isComplex = false;

  size_t elementCount() const { return values.size() / (isComplex ? 2 : 1); }
};

/// Most values that a file of values may hold: 1 GiB of doubles.
inline constexpr size_t maxFileValues = size_t(1) << 27;

/// "(3, 30)", "()": as Python writes shapes.
std::string shapeText(const std::vector<uint64_t> &shape);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_TENSOR_H
