//===- npy_fuzz.cpp - NumPy's array files ----------------------------------------------------===//
#include "runtime/client/npy.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  auto tensor = client::readNpy({data, size}, "fuzz");
  if (!tensor)
    return 0;
  uint64_t count = 1;
  for (uint64_t extent : tensor->shape)
    count *= extent;
  fuzz::require(tensor->values.size() == count);
  auto again = client::readNpy(client::writeNpy(*tensor), "again");
  fuzz::require(again.isOk() && again->shape == tensor->shape);
  return 0;
}
