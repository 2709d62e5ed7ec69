//===- key_rows.cpp - which rows of keys stay on the device, and when others come -------------===//
#include "runtime/cuda/key_rows.h"

#include <algorithm>

namespace sluice::cuda {
namespace {

constexpr uint32_t none = UINT32_MAX;

/// How many launches read each row.
std::vector<uint32_t> countReads(std::span<const std::vector<uint32_t>> rowsOf, uint32_t rowCount) {
  std::vector<uint32_t> reads(rowCount);
  for (const std::vector<uint32_t> &rows : rowsOf)
    for (uint32_t row : rows)
      ++reads[row];
  return reads;
}

size_t countDistinct(std::vector<uint32_t> rows) {
  std::ranges::sort(rows);
  return static_cast<size_t>(std::ranges::unique(rows).begin() - rows.begin());
}

/// Buffers that are taken in turn.
class Ring {
public:
  Ring(uint32_t first, uint32_t count) : first(first), places(count) {}

  /// `launch` reads `row`: if it is there, it stays until then.
  void keep(uint32_t row, uint32_t launch) {
    if (Place *place = find(row))
      place->freeFrom = launch + 1;
  }
  /// Where `row` is for `launch`; if it has to be copied, that goes to `copies`.
  uint32_t bufferFor(uint32_t row, uint32_t launch, std::vector<KeyCopy> &copies) {
    if (const Place *place = find(row))
      return first + static_cast<uint32_t>(place - places.data());
    while (places[next].freeFrom > launch) // read by this very launch
      advance();
    const uint32_t buffer = first + next;
    copies.push_back({places[next].freeFrom, launch, row, buffer});
    places[next] = {row, launch + 1};
    advance();
    return buffer;
  }

private:
  struct Place {
    uint32_t row = none, freeFrom = 0;
  };
  Place *find(uint32_t row) {
    const auto place = std::ranges::find(places, row, &Place::row);
    return place == places.end() ? nullptr : &*place;
  }
  void advance() { next = (next + 1) % static_cast<uint32_t>(places.size()); }

  uint32_t first, next = 0;
  std::vector<Place> places;
};

} // namespace

Expected<KeyRowPlan> planKeyRows(std::span<const std::vector<uint32_t>> rowsOf, uint32_t rowCount,
                                 uint64_t buffers) {
  const std::vector<uint32_t> reads = countReads(rowsOf, rowCount);
  std::vector<uint32_t> order; // rows that are read, the most often read first
  for (uint32_t row = 0; row < rowCount; ++row)
    if (reads[row] > 0)
      order.push_back(row);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return reads[a] != reads[b] ? reads[a] > reads[b] : a < b;
  });

  KeyRowPlan plan;
  uint32_t ringSize = 0;
  if (order.size() > buffers) {
    size_t most = 0;
    for (const std::vector<uint32_t> &rows : rowsOf)
      most = std::max(most, countDistinct(rows));
    if (most > buffers)
      return Status::error(StatusCode::outOfRange,
                           "one launch reads %zu rows of keys, but there is memory for %llu", most,
                           static_cast<unsigned long long>(buffers));
    ringSize = static_cast<uint32_t>(std::max<uint64_t>(most, buffers / 2));
    order.resize(buffers - ringSize);
  }
  plan.buffers = static_cast<uint32_t>(order.size()) + ringSize;
  std::vector<uint32_t> home(rowCount, none);
  for (uint32_t buffer = 0; buffer < order.size(); ++buffer) {
    home[order[buffer]] = buffer;
    plan.resident.push_back({0, 0, order[buffer], buffer});
  }
  Ring ring(static_cast<uint32_t>(order.size()), ringSize);
  for (uint32_t launch = 0; launch < rowsOf.size(); ++launch) {
    std::vector<uint32_t> &places = plan.buffersOf.emplace_back();
    // Rows that are there already come first, lest another of this launch take their place.
    for (uint32_t row : rowsOf[launch])
      if (home[row] == none)
        ring.keep(row, launch);
    for (uint32_t row : rowsOf[launch])
      places.push_back(home[row] != none ? home[row] : ring.bufferFor(row, launch, plan.streamed));
  }
  std::ranges::sort(plan.streamed);
  return plan;
}

} // namespace sluice::cuda
