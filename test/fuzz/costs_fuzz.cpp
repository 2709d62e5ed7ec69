//===- costs_fuzz.cpp - cost files ------------------------------------------------------------===//
#include "runtime/wire/cost_file.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  auto costs = wire::readCosts({data, size}, "fuzz");
  if (!costs)
    return 0;
  // What was accepted is accepted again once written.
  std::string text = wire::writeCosts(*costs);
  auto again =
      wire::readCosts({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, "again");
  fuzz::require(again.isOk() && wire::writeCosts(*again) == text);
  return 0;
}
