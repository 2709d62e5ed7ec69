//===- shared_object_fuzz.cpp - the check of an artifact's code -----------------------------===//
#include "runtime/exec/shared_object.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Only the check: loading would run the loader on hostile code, which is not a promise.
  sluice::Status status = sluice::exec::checkSharedObject({data, size}, "fuzz");
  return status.isOk() || !status.message().empty() ? 0 : -1;
}
