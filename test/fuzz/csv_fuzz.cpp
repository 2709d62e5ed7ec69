//===- csv_fuzz.cpp - numbers in lines -------------------------------------------------------===//
#include "runtime/client/csv.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  auto tensor = client::readCsv({reinterpret_cast<const char *>(data), size}, "fuzz");
  if (!tensor)
    return 0;
  fuzz::require(tensor->shape.size() == 2 && tensor->shape[1] > 0);
  fuzz::require(tensor->values.size() == tensor->shape[0] * tensor->shape[1]);
  auto again = client::readCsv(client::writeCsv(*tensor), "again");
  fuzz::require(again.isOk() && again->shape == tensor->shape);
  return 0;
}
