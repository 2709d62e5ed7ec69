//===- ReadElements.h - at which positions the values of a loop are read ----------------------===//
//
// A machine that computes all positions of a loop's results at once needs a value v of its body at
// the positions that X -> X^g reads, for each Galois element g on the way from v to a result: with
// y = automorphism_h(x), y at element g is x at element h * g mod 2N.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_READELEMENTS_H
#define SLUICE_DIALECTS_RNS_READELEMENTS_H

#include "dialects/RNS/RNSOps.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice::rns {

class ReadElements {
public:
  /// Of the values that `ops`, in their order, read on the way to `results`, which are wanted at
  /// element 1. Elements are modulo `mask` + 1 = 2N.
  ReadElements(llvm::ArrayRef<mlir::Operation *> ops, mlir::ValueRange results, uint32_t mask);
  /// Of the values of a kernel's body. Where the ring is not known, modulo a multiple of every 2N.
  static ReadElements find(LimbKernelOp kernel);

  /// Those at which `value` is read, each once; none where no result needs it.
  llvm::ArrayRef<uint32_t> of(mlir::Value value) const;
  /// Is `value` read at no other positions than those that are written?
  bool isReadInPlace(mlir::Value value) const {
    return llvm::all_of(of(value), [](uint32_t element) { return element == 1; });
  }

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<uint32_t, 1>> elements;
};

} // namespace sluice::rns

#endif // SLUICE_DIALECTS_RNS_READELEMENTS_H
