//===- Layout.h - where the elements of a tensor stand in the slots ---------------------------===//
//
// The one packing of the first version (docs/formats.md): a tensor is flattened row-major with
// every dimension padded to a power of two; element e of batch item b stands at slot e * (slots /
// lanes) + b. All tensors of a program share the number of lanes, so that element-wise operations
// need no movement; smaller tensors occupy the first lanes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_LAYOUT_H
#define SLUICE_PASSES_ALGORITHMS_LAYOUT_H

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::algorithms {

using Shape = std::vector<int64_t>;

/// The smallest power of two >= n (n >= 1).
int64_t nextPowerOfTwo(int64_t n);
/// Number of elements of a tensor; 1 for a scalar.
int64_t elementCount(std::span<const int64_t> shape);
/// Number of lanes that a tensor needs: the product of its padded dimensions.
int64_t paddedElementCount(std::span<const int64_t> shape);
/// The lane of each element, elements in row-major order.
std::vector<int64_t> lanesOfElements(std::span<const int64_t> shape);

/// Placement of one argument or result.
struct Placement {
  Shape shape;
  int64_t lanes = 1; ///< a power of two >= paddedElementCount(shape)
  int64_t batch = 1; ///< capacity in items
  bool batched = false;
};

/// The slot vector (length `slots`, a multiple of lanes) of `items`, row-major items one after the
/// other: at most `batch` of them; missing items and padding lanes are 0. A placement that is not
/// batched takes one item and copies it to every slot of its lane.
std::vector<double> packSlots(std::span<const double> items, const Placement &placement,
                              int64_t slots);
/// The inverse for `count` items (1 when not batched).
std::vector<double> unpackSlots(std::span<const double> slots, const Placement &placement,
                                int64_t count);

/// One entry of a matrix between lanes: out[row] += value * in[column].
struct LaneEntry {
  int64_t row, column;
  double value;
};

/// The non-zero generalised diagonals of a lanes x lanes matrix: out[t] = sum_k values[k][t] *
/// in[(t + indices[k]) mod lanes] (docs/mathematics.md section 4). Indices ascend in [0, lanes).
struct Diagonals {
  std::vector<int64_t> indices;
  std::vector<std::vector<double>> values;
};

/// Collects entries (several at one place add up) into diagonals; those that are zero throughout
/// are left out.
Diagonals collectDiagonals(std::span<const LaneEntry> entries, int64_t lanes);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_LAYOUT_H
