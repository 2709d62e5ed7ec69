//===- nested_params.h - parameters for tests of settled programs -----------------------------===//
#ifndef SLUICE_TEST_PASSES_NESTED_PARAMS_H
#define SLUICE_TEST_PASSES_NESTED_PARAMS_H

#include "dialects/CKKS/CKKSOps.h"
#include "runtime/ring/primes.h"

namespace sluice::test {

/// Limbs of `bits` bits for N = 2^logN: two at level 0, one more a level, up to level `height`,
/// taken from `lists` lists in turn: levels of one list are nested, others share one limb. No P, so
/// that nothing can be relinearised or run.
inline ckks::ParamsAttr openParams(mlir::MLIRContext *context, unsigned logN, unsigned bits,
                                   unsigned height, int64_t slots, unsigned lists) {
  llvm::SmallVector<mlir::DenseI64ArrayAttr> levels;
  for (unsigned level = 0; level <= height; ++level) {
    llvm::SmallVector<int64_t> set = {0};
    for (unsigned i = 0; i <= level; ++i)
      set.push_back(1 + lists * i + level % lists);
    levels.push_back(mlir::DenseI64ArrayAttr::get(context, set));
  }
  return ckks::ParamsAttr::get(context, logN,
                               *ring::nttPrimesNear(logN, bits, 1 + lists * (height + 1)), {},
                               levels, {}, slots, ckks::ParamsAttr::defaultSecret, 0, "", {});
}

inline ckks::ParamsAttr nestedParams(mlir::MLIRContext *context, unsigned logN, unsigned bits,
                                     unsigned height, int64_t slots) {
  return openParams(context, logN, bits, height, slots, 1);
}

} // namespace sluice::test

#endif // SLUICE_TEST_PASSES_NESTED_PARAMS_H
