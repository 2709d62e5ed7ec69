//===- Layout.cpp - where the elements of a tensor stand in the slots -------------------------===//

#include "passes/algorithms/Layout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>

namespace sluice::algorithms {

int64_t nextPowerOfTwo(int64_t n) { return static_cast<int64_t>(std::bit_ceil(uint64_t(n))); }

int64_t elementCount(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t paddedElementCount(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= nextPowerOfTwo(size);
  return count;
}

std::vector<int64_t> lanesOfElements(std::span<const int64_t> shape) {
  std::vector<int64_t> lanes{0};
  for (int64_t size : shape) {
    std::vector<int64_t> next;
    next.reserve(lanes.size() * size);
    for (int64_t lane : lanes)
      for (int64_t i = 0; i < size; ++i)
        next.push_back(lane * nextPowerOfTwo(size) + i);
    lanes = std::move(next);
  }
  return lanes;
}

std::vector<double> packSlots(std::span<const double> items, const Placement &placement,
                              int64_t slots) {
  int64_t stride = slots / placement.lanes, elements = elementCount(placement.shape);
  int64_t count = static_cast<int64_t>(items.size()) / elements;
  assert(count <= stride && (placement.batched || count == 1));
  std::vector<int64_t> lanes = lanesOfElements(placement.shape);
  std::vector<double> result(slots, 0.0);
  for (int64_t e = 0; e < elements; ++e)
    for (int64_t b = 0; b < (placement.batched ? count : stride); ++b)
      result[lanes[e] * stride + b] = items[(placement.batched ? b : 0) * elements + e];
  return result;
}

std::vector<double> unpackSlots(std::span<const double> slots, const Placement &placement,
                                int64_t count) {
  int64_t stride = static_cast<int64_t>(slots.size()) / placement.lanes;
  int64_t elements = elementCount(placement.shape);
  assert(count <= stride);
  std::vector<int64_t> lanes = lanesOfElements(placement.shape);
  std::vector<double> items(count * elements);
  for (int64_t b = 0; b < count; ++b)
    for (int64_t e = 0; e < elements; ++e)
      items[b * elements + e] = slots[lanes[e] * stride + b];
  return items;
}

Diagonals collectDiagonals(std::span<const LaneEntry> entries, int64_t lanes) {
  std::map<int64_t, std::vector<double>> diagonals;
  for (const LaneEntry &entry : entries) {
    assert(entry.row < lanes && entry.column < lanes);
    if (entry.value == 0)
      continue;
    int64_t index = (entry.column - entry.row + lanes) % lanes;
    auto [place, isNew] = diagonals.try_emplace(index);
    if (isNew)
      place->second.assign(lanes, 0.0);
    place->second[entry.row] += entry.value;
  }
  Diagonals result;
  for (auto &[index, values] : diagonals) {
    if (std::all_of(values.begin(), values.end(), [](double v) { return v == 0; }))
      continue;
    result.indices.push_back(index);
    result.values.push_back(std::move(values));
  }
  return result;
}

} // namespace sluice::algorithms
