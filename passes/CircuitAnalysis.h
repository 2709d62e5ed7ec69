//===- CircuitAnalysis.h - heights, magnitudes and noise of a packed circuit ------------------===//
//
// What select-parameters must know of a program before levels and scales exist.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_CIRCUITANALYSIS_H
#define SLUICE_PASSES_CIRCUITANALYSIS_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/CorrelatedProduct.h"
#include "passes/algorithms/Interval.h"
#include "passes/algorithms/NoiseModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// Levels that one packed operation uses: 1 a product (not with an integer), polynomialLevels a
/// polynomial, else 0.
unsigned levelsOf(mlir::Operation *op);

/// A packed circuit with what can be said of each ciphertext before parameters are chosen.
class CircuitAnalysis {
public:
  /// Analyses `function` (packed stage, packing length `slots`). Emits an error on an operation
  /// without a slot semantics.
  static mlir::FailureOr<CircuitAnalysis> analyze(mlir::func::FuncOp function, int64_t slots);

  /// Multiplications on the longest path from the value to an output or, with one more, to a
  /// bootstrap; the level at which it must stand.
  unsigned height(mlir::Value value) const { return heights.lookup(value); }
  /// The largest height.
  unsigned depth() const;
  /// Bounds over all slots; infinite when an input has no range.
  algorithms::Interval range(mlir::Value value) const { return ranges.lookup(value); }
  /// The first value without finite bounds, or null.
  mlir::Value findUnbounded() const;
  /// log2 of the size that level 0 needs so that no value overflows at its level, for limbs of
  /// 2^scaleLog2. Needs finite bounds.
  double baseLog2(unsigned scaleLog2) const;

  /// Standard deviation of the error of the worst output for scale 1: the error is this divided by
  /// the scale. Needs finite bounds.
  double noiseAtScaleOne(const algorithms::NoiseParameters &parameters) const;

  mlir::func::FuncOp getFunction() const { return function; }
  /// The packing length.
  int64_t getSlots() const { return slots; }

private:
  /// Error of one value: standard deviation for scale 1.
  using Deviations = llvm::DenseMap<mlir::Value, double>;

  void computeHeights();
  void computeAttenuations();
  void computeGains();
  mlir::LogicalResult computeRanges();
  double deviationOf(mlir::Operation *op, const Deviations &deviations,
                     const algorithms::NoiseParameters &parameters) const;
  double magnitude(mlir::Value value) const { return ranges.lookup(value).magnitude(); }

  mutable mlir::func::FuncOp function; // a handle; MLIR's accessors are not const
  int64_t slots = 0;
  llvm::DenseMap<mlir::Value, unsigned> heights;
  llvm::DenseMap<mlir::Value, algorithms::Interval> ranges;
  /// A value that a polynomial takes is kept at a scale smaller by the interval's half-width 2^k,
  /// since the change of variable multiplies the scale: k.
  llvm::DenseMap<mlir::Value, int> attenuations;
  /// Of roundings inside a polynomial, and of its operand's error.
  llvm::DenseMap<mlir::Operation *, double> polynomialGains, polynomialSlopes;
  llvm::DenseMap<mlir::Operation *, CorrelatedProduct> correlatedProducts;
};

} // namespace sluice

#endif // SLUICE_PASSES_CIRCUITANALYSIS_H
