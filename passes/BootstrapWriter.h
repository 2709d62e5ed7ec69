//===- BootstrapWriter.h - writes out one bootstrap -------------------------------------------===//
//
// Every level and scale is known on the settled stage, so the expansion is exact in its scales:
// transforms are encoded at the scale that their rescale takes away again, and EvalMod's targets
// come back from its end through the squares (docs/mathematics.md sections 7 to 9).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_BOOTSTRAPWRITER_H
#define SLUICE_PASSES_BOOTSTRAPWRITER_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/StageLocations.h"
#include "passes/algorithms/EvalMod.h"
#include "passes/algorithms/TransformScales.h"
#include "runtime/ring/dft_factors.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice {

/// Writes one bootstrap in front of its operation.
class BootstrapWriter {
public:
  BootstrapWriter(ckks::BootstrapOp op, ckks::ParamsAttr params);

  /// What stands for the operation's result.
  mlir::Value write();

private:
  using Value = mlir::Value;
  using CtType = ckks::CtType;
  using Scale = ckks::Scale;

  static CtType typeOf(Value value) { return llvm::cast<CtType>(value.getType()); }

  /// What is written from here on is this part of the bootstrap.
  void begin(llvm::StringRef stage) { builder.setLoc(inStage(op.getLoc(), stage)); }

  // --- Rounds (BootstrapWriter.cpp)
  Value lowered(Value rest, int64_t bits);
  Value broughtDown(Value sum);
  Value round(Value input);

  // --- ModRaise
  Value raiseModulus(Value input, const Scale &scale);
  Value raisedToSlots(Value input);
  Value sumOverRepetitions(Value raised);

  // --- Transforms (BootstrapTransforms.cpp)
  Value coefficientsToSlots(Value raised, llvm::ArrayRef<Scale> scales);
  Value slotsToCoefficients(Value message, llvm::ArrayRef<Scale> scales, double factor);
  llvm::SmallVector<Scale> evenly(const Scale &from, const Scale &to, size_t count) const;
  Value transforms(Value input, llvm::ArrayRef<DftMatrix> factors, llvm::ArrayRef<Scale> scales);
  Value product(Value input, const DftMatrix &matrix, const Scale &scale);
  Value rescaled(Value value);
  std::vector<DftMatrix> matrices(DftDirection direction, double factor);

  // --- EvalMod
  Value evaluateParts(Value coefficients, const Scale &target);
  Value evaluateMod(Value variable, const Scale &target);
  Value polynomial(Value variable, const algorithms::Polynomial &p, int64_t level,
                   const Scale &scale);
  Value doubleAngle(Value value, double subtrahend);

  // --- Scales
  /// The limbs that a rescale to the next level takes away, as a scale.
  Scale dropped(int64_t level) const { return params.getRescaleFactor(level, level - 1).inverse(); }
  Scale modulus(int64_t level) const { return Scale::limbs(params.getLevel(level)); }
  Scale powerOfTwoNear(const Scale &scale) const;
  double switchVariance(int64_t level) const;
  algorithms::TransformChain transformChain(llvm::ArrayRef<int64_t> groups, int64_t level,
                                            double factor, const Scale &scale);
  llvm::SmallVector<Scale> scalesToResult(double factor);
  llvm::SmallVector<Scale> scalesToVariable(const Scale &raised);
  Scale variableScale(int64_t level, const algorithms::Polynomial &p) const;

  /// What CoeffsToSlots multiplies by: its transform without a factor multiplies by n, and the sum
  /// over repetitions by N / (2 n).
  double coefficientsFactor() const { return 1 / (2 * double(ringSlots) * evalMod.halfWidth); }

  bool isRaisedFirst() { return op.getOrder() == ckks::BootstrapOrder::ModRaiseFirst; }

  ckks::BootstrapOp op;
  ckks::ParamsAttr params;
  mlir::ImplicitLocOpBuilder builder;
  algorithms::EvalMod evalMod;
  int64_t slots;     ///< n, of the operand
  int64_t ringSlots; ///< N/2
  /// Both halves of the coefficients are one vector of 2n slots during EvalMod.
  bool isPacked;
};

} // namespace sluice

#endif // SLUICE_PASSES_BOOTSTRAPWRITER_H
