//===- ExpandBootstraps.cpp - bootstraps as transforms and polynomials ------------------------===//
//
// Every level and scale is known here, so the expansion is exact in its scales: transforms are
// encoded at the scale that their rescale takes away again, and EvalMod's targets come back from
// its end through the squares (docs/mathematics.md sections 7 to 9).
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/Passes.h"
#include "passes/algorithms/EvalMod.h"
#include "passes/algorithms/ScaleValue.h"
#include "runtime/ring/dft_factors.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::EvalMod;
using sluice::ckks::CtType;
using sluice::ckks::Scale;
using sluice::ring::DftDirection;
using sluice::ring::DftGroup;

namespace sluice {

#define GEN_PASS_DEF_EXPANDBOOTSTRAPS
#include "passes/Passes.h.inc"

namespace {

CtType typeOf(Value value) { return cast<CtType>(value.getType()); }

/// Writes one bootstrap.
class BootstrapWriter {
public:
  BootstrapWriter(ckks::BootstrapOp op, ckks::ParamsAttr params)
      : op(op), params(params), builder(op.getLoc(), op),
        evalMod(algorithms::makeEvalMod(op.getRange().convertToDouble(),
                                        op.getMessageBound().convertToDouble(),
                                        unsigned(op.getDegree()), unsigned(op.getDoubleAngles()),
                                        unsigned(op.getArcsineDegree()))) {}

  Value write() {
    Value coefficients = coefficientsToSlots(raiseModulus(op.getInput()));
    // Real and imaginary parts are the two halves of the coefficients, each a vector of real slots.
    Value conjugate = ckks::ConjugateOp::create(builder, coefficients);
    Value low = ckks::AddOp::create(builder, coefficients, conjugate);
    Value high = ckks::SubOp::create(builder, conjugate, coefficients);
    high = ckks::MulByIOp::create(builder, high);
    low = evaluateMod(low);
    high = ckks::MulByIOp::create(builder, evaluateMod(high));
    return slotsToCoefficients(ckks::AddOp::create(builder, low, high));
  }

private:
  /// To the top level, under the secret of few coefficients where there is one.
  Value raiseModulus(Value value) {
    if (params.hasEphemeral())
      value = ckks::SwitchKeyOp::create(builder, value);
    value = ckks::ModRaiseOp::create(builder, value, params.getNumLevels() - 1, params);
    return params.hasEphemeral() ? ckks::SwitchKeyOp::create(builder, value) : value;
  }

  // --- Transforms ------------------------------------------------------------------------------

  /// The limbs that a rescale to the next level takes away, as a scale.
  Scale dropped(int64_t level) const { return params.getRescaleFactor(level, level - 1).inverse(); }

  /// The group's matrix times `factor`, rescaled to `scale`.
  Value transform(Value input, const DftGroup &group, double factor, const Scale &scale) {
    SmallVector<int64_t> indices;
    SmallVector<std::complex<double>> entries;
    for (const auto &[index, diagonal] : ring::dftMatrix(group)) {
      indices.push_back(llvm::mod(index, int64_t(params.getSlots())));
      for (std::complex<double> entry : diagonal)
        entries.push_back(factor * entry);
    }
    auto type = RankedTensorType::get({int64_t(indices.size()), params.getSlots()},
                                      ComplexType::get(builder.getF64Type()));
    int64_t level = typeOf(input).getLevel();
    Scale plain = scale * dropped(level) / typeOf(input).getScale();
    Value product =
        ckks::LinearTransformOp::create(builder, input, builder.getDenseI64ArrayAttr(indices),
                                        DenseElementsAttr::get(type, ArrayRef(entries)),
                                        ckks::ScaleAttr::get(op.getContext(), plain));
    return ckks::RescaleOp::create(builder, product, level - 1, params);
  }

  /// All of `sizes`, together times `factor`, the last one to `scale`; the others keep theirs.
  Value transforms(Value input, DftDirection direction, ArrayRef<int64_t> sizes, double factor,
                   const Scale &scale) {
    std::vector<DftGroup> groups = ring::dftGroups(direction, {sizes.data(), sizes.size()});
    double each = std::pow(factor, 1 / double(groups.size()));
    for (const DftGroup &group : groups)
      input = transform(input, group, each,
                        &group == &groups.back() ? scale : typeOf(input).getScale());
    return input;
  }

  /// Slots that hold (I + message) / (2 halfWidth), complex: their doubled real and imaginary parts
  /// are EvalMod's variables.
  Value coefficientsToSlots(Value raised) {
    int64_t level = typeOf(raised).getLevel() - int64_t(op.getCoefficientsToSlots().size());
    double factor = 1 / (2 * double(params.getSlots()) * evalMod.halfWidth);
    return transforms(raised, DftDirection::coefficientsToSlots, op.getCoefficientsToSlots(),
                      factor, powerOfTwoNear(dropped(level)));
  }

  /// Back to the values: the message was a part scale / Q of them.
  Value slotsToCoefficients(Value message) {
    Scale part = Scale::limbs(params.getLevel(typeOf(op.getInput()).getLevel())) /
                 typeOf(op.getInput()).getScale();
    double factor = std::exp2(algorithms::scaleLog2(part, params.getLimbs()));
    return transforms(message, DftDirection::slotsToCoefficients, op.getSlotsToCoefficients(),
                      factor, typeOf(op.getResult()).getScale());
  }

  // --- EvalMod ---------------------------------------------------------------------------------

  Scale powerOfTwoNear(const Scale &scale) const {
    return Scale::powerOfTwo(
        int64_t(std::llround(algorithms::scaleLog2(scale, params.getLimbs()))));
  }

  /// I + message, as t + 1 / (4 halfWidth), to the message.
  Value evaluateMod(Value variable) {
    variable = ckks::AddScalarOp::create(builder, variable,
                                         builder.getF64FloatAttr(-0.25 / evalMod.halfWidth));
    int64_t level =
        typeOf(variable).getLevel() - algorithms::polynomialDepth(evalMod.cosine.degree());
    // The scale before each square is the root of what it shall be after it, times what goes.
    SmallVector<Scale> targets = {powerOfTwoNear(dropped(level - evalMod.doubleAngles))};
    for (int64_t i = evalMod.doubleAngles; i-- > 0;)
      targets.push_back((targets.back() * dropped(level - i)).root());
    Value value = polynomial(variable, evalMod.cosine, level, targets.back());
    for (double subtrahend : evalMod.subtrahends)
      value = doubleAngle(value, subtrahend);
    if (!evalMod.hasArcsine())
      return value;
    level = typeOf(value).getLevel() - algorithms::polynomialDepth(evalMod.arcsine.degree());
    return polynomial(value, evalMod.arcsine, level, typeOf(value).getScale());
  }

  Value polynomial(Value variable, const algorithms::Polynomial &p, int64_t level,
                   const Scale &scale) {
    bool isChebyshev = p.basis == algorithms::Basis::chebyshev;
    std::optional<std::pair<double, double>> interval;
    if (isChebyshev)
      interval = {-1.0, 1.0};
    return ckks::PolynomialOp::create(builder, typeOf(variable).withLevel(level).withScale(scale),
                                      variable,
                                      isChebyshev ? ckks::Basis::Chebyshev : ckks::Basis::Monomial,
                                      ArrayRef<double>(p.coefficients), interval);
  }

  /// 2 value^2 - subtrahend, one level down.
  Value doubleAngle(Value value, double subtrahend) {
    Value squared = ckks::SquareOp::create(builder, value);
    squared = ckks::RelinearizeOp::create(builder, squared);
    squared = ckks::AddOp::create(builder, squared, squared);
    squared = ckks::RescaleOp::create(builder, squared, typeOf(value).getLevel() - 1, params);
    return ckks::AddScalarOp::create(builder, squared, builder.getF64FloatAttr(-subtrahend));
  }

  ckks::BootstrapOp op;
  ckks::ParamsAttr params;
  ImplicitLocOpBuilder builder;
  EvalMod evalMod;
};

struct ExpandBootstraps : impl::ExpandBootstrapsBase<ExpandBootstraps> {
  void runOnOperation() override {
    auto params = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    SmallVector<ckks::BootstrapOp> bootstraps;
    getOperation().walk([&](ckks::BootstrapOp op) { bootstraps.push_back(op); });
    if (!bootstraps.empty() && !params) {
      bootstraps.front().emitError() << "the module has no '" << ckks::paramsAttrName << "'";
      return signalPassFailure();
    }
    for (ckks::BootstrapOp op : bootstraps) {
      op.replaceAllUsesWith(BootstrapWriter(op, params).write());
      op.erase();
      ++expanded;
    }
  }
};

} // namespace
} // namespace sluice
