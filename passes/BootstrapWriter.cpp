//===- BootstrapWriter.cpp - writes out one bootstrap -----------------------------------------===//
//
// Rounds, ModRaise and EvalMod; the transforms are in BootstrapTransforms.cpp.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/BootstrapWriter.h"

#include "passes/ChainNoise.h"
#include "passes/algorithms/ScaleValue.h"

#include <cmath>

using namespace mlir;

namespace sluice {

BootstrapWriter::BootstrapWriter(ckks::BootstrapOp op, ckks::ParamsAttr params)
    : op(op), params(params), builder(op.getLoc(), op),
      evalMod(algorithms::makeEvalMod(
          op.getRange().convertToDouble(), op.getMessageBound().convertToDouble(),
          unsigned(op.getDegree()), unsigned(op.getDoubleAngles()), unsigned(op.getArcsineDegree()),
          op.getNodes() == ckks::SineNodes::HanKi ? algorithms::SineNodes::hanKi
                                                  : algorithms::SineNodes::chebyshev)),
      slots(op.getInput().getType().getSlots(params)), ringSlots(params.getRingDegree() / 2),
      isPacked(isRaisedFirst() && !op.getReal() && slots < ringSlots) {}

Value BootstrapWriter::write() {
  Value sum;
  for (int64_t left = op.getIterations(); left-- > 0;) {
    Value rest = op.getInput();
    if (sum)
      rest = ckks::SubOp::create(builder, rest, broughtDown(sum));
    Value part = round(lowered(rest, left * op.getLogGain()));
    sum = sum ? ckks::AddOp::create(builder, sum, part) : part;
  }
  return sum;
}

//===------------------------------------------------------------------------------------------===//
// Rounds
//===------------------------------------------------------------------------------------------===//

/// `rest` with `bits` bits less, at the level where a round begins: multiplied by what the rescale
/// to there divides by, but for those bits.
Value BootstrapWriter::lowered(Value rest, int64_t bits) {
  if (op.getIterations() == 1)
    return rest;
  int64_t from = typeOf(rest).getLevel(), level = op.getRoundLevel();
  Scale ratio = modulus(from) / modulus(level);
  int64_t lift = std::llround(algorithms::scaleLog2(ratio, params.getLimbs())) - bits;
  if (lift > 0)
    rest = ckks::AdjustScaleOp::create(builder, rest,
                                       typeOf(rest).getScale() * Scale::powerOfTwo(lift));
  return ckks::RescaleOp::create(builder, rest, level, params);
}

/// The rounds so far at the operand's level and scale. Where forgetting limbs does not lead there,
/// a factor that is rounded to an integer of at least 2^64.
Value BootstrapWriter::broughtDown(Value sum) {
  CtType type = op.getInput().getType();
  ArrayRef<int64_t> limbs = params.getLevel(typeOf(sum).getLevel());
  if (llvm::all_of(params.getLevel(type.getLevel()),
                   [&](int64_t limb) { return llvm::is_contained(limbs, limb); }))
    return ckks::DropLevelOp::create(builder, sum, type.getLevel());
  Scale factor = params.getRescaleFactor(typeOf(sum).getLevel(), type.getLevel());
  sum = ckks::AdjustScaleOp::create(builder, sum, type.getScale() / factor);
  return ckks::RescaleOp::create(builder, sum, type.getLevel(), params);
}

/// One pass through the circuit, to the level and the scale of the result.
Value BootstrapWriter::round(Value input) {
  CtType result = op.getResult().getType();
  if (isRaisedFirst()) {
    // EvalMod gives the message, which was a part scale / Q of the values.
    Scale part = modulus(typeOf(input).getLevel()) / typeOf(input).getScale();
    Value coefficients = raisedToSlots(input);
    double factor = algorithms::scaleValue(part, params.getLimbs()).high;
    SmallVector<Scale> scales = scalesToResult(factor);
    Value message = evaluateParts(coefficients, scales.front());
    return slotsToCoefficients(message, ArrayRef(scales).drop_front(), factor);
  }
  // The part is a power of two, so that its inverse is metadata: no factor of SlotsToCoeffs follows
  // that could multiply. Rounding up keeps the message below its bound, but for a part in 1000.
  int64_t base = typeOf(input).getLevel() - op.getDepthBefore();
  Scale ratio = modulus(base) / typeOf(input).getScale();
  auto log2 = int64_t(std::ceil(algorithms::scaleLog2(ratio, params.getLimbs()) - 0x1p-10));
  Scale part = Scale::powerOfTwo(log2);
  input = slotsToCoefficients(
      input, evenly(typeOf(input).getScale(), modulus(base) / part, op.getDepthBefore()), 1);
  Value coefficients = raisedToSlots(input);
  Value message = evaluateParts(coefficients, result.getScale() * part);
  return ckks::ReinterpretOp::create(builder, message, llvm::APFloat(std::ldexp(1.0, int(log2))));
}

//===------------------------------------------------------------------------------------------===//
// ModRaise
//===------------------------------------------------------------------------------------------===//

/// To the top level, under the secret of few coefficients where there is one, and to the scale at
/// which CoeffsToSlots begins: a factor without error, so that those of key switches count less.
Value BootstrapWriter::raiseModulus(Value value, const Scale &scale) {
  begin("ModRaise");
  if (params.hasEphemeral())
    value = ckks::SwitchKeyOp::create(builder, value);
  value = ckks::ModRaiseOp::create(builder, value, params.getNumLevels() - 1, params);
  if (typeOf(value).getScale() != scale)
    value = ckks::AdjustScaleOp::create(builder, value, scale);
  return params.hasEphemeral() ? ckks::SwitchKeyOp::create(builder, value) : value;
}

/// The slots of all coefficients of `input`, not yet rescaled.
Value BootstrapWriter::raisedToSlots(Value input) {
  SmallVector<Scale> scales = scalesToVariable(modulus(typeOf(input).getLevel()));
  Value raised = sumOverRepetitions(raiseModulus(input, scales.front()));
  return coefficientsToSlots(raised, ArrayRef(scales).drop_front());
}

/// The integers that ModRaise adds stand at all coefficients: the sum of all rotations by multiples
/// of n is N/(2n) times those at which a vector of n slots has coefficients.
Value BootstrapWriter::sumOverRepetitions(Value raised) {
  if (slots == ringSlots)
    return raised;
  begin("SubSum");
  for (int64_t by = slots; by < ringSlots; by *= 2) {
    Value rotated = ckks::RotateOp::create(builder, raised, by);
    raised = ckks::AddOp::create(builder, raised, rotated);
  }
  return ckks::ViewSlotsOp::create(builder, raised, slots, params);
}

//===------------------------------------------------------------------------------------------===//
// EvalMod
//===------------------------------------------------------------------------------------------===//

ckks::Scale BootstrapWriter::powerOfTwoNear(const Scale &scale) const {
  return Scale::powerOfTwo(int64_t(std::llround(algorithms::scaleLog2(scale, params.getLimbs()))));
}

/// The scale of the variable of `p` at `level` from which squares, each rescaled, lead to a power
/// of two near what the last rescale takes away. Found backwards, what the sizes of the levels
/// differ by halves with each square; forwards it would double. A power of two where all levels
/// drop about as much.
ckks::Scale BootstrapWriter::variableScale(int64_t level, const algorithms::Polynomial &p) const {
  const auto squares = int64_t(algorithms::polynomialDepth(p.degree())) - 1;
  Scale scale = powerOfTwoNear(dropped(level - squares));
  for (int64_t i = squares; i-- > 0;)
    scale = (scale * dropped(level - i)).root();
  const double log2 = algorithms::scaleLog2(scale, params.getLimbs());
  return std::abs(log2 - std::round(log2)) < 0x1p-10 ? powerOfTwoNear(scale) : scale;
}

/// Of a coefficient's error in one key switch at `level`.
double BootstrapWriter::switchVariance(int64_t level) const {
  algorithms::NoiseParameters noise = noiseAtLevel(params, level);
  noise.hammingWeight = expectedWeight(params);
  return algorithms::keySwitchVariance(noise);
}

/// Matrices of these groups from `level` down, together times `factor`, to `scale`.
algorithms::TransformChain BootstrapWriter::transformChain(ArrayRef<int64_t> groups, int64_t level,
                                                           double factor, const Scale &scale) {
  algorithms::TransformChain chain;
  chain.degree = double(params.getRingDegree());
  chain.slots = double(slots);
  chain.factor = factor;
  chain.resultLog2 = algorithms::scaleLog2(scale, params.getLimbs());
  llvm::append_range(chain.groups, groups);
  for (size_t i = 0; i < groups.size(); ++i, --level) {
    chain.rescaleLog2.push_back(algorithms::scaleLog2(dropped(level), params.getLimbs()));
    chain.switchVariances.push_back(switchVariance(level));
  }
  return chain;
}

/// Powers of two before each matrix, and the scale behind the last one.
static SmallVector<ckks::Scale> scalesOf(ArrayRef<int64_t> log2, const ckks::Scale &last) {
  SmallVector<ckks::Scale> scales = llvm::map_to_vector(log2, ckks::Scale::powerOfTwo);
  scales.push_back(last);
  return scales;
}

/// What EvalMod's message has before SlotsToCoeffs multiplies it by `factor`, and what its matrices
/// leave, up to the result's: powers of two but for that.
SmallVector<ckks::Scale> BootstrapWriter::scalesToResult(double factor) {
  CtType result = op.getResult().getType();
  ArrayRef<int64_t> groups = op.getSlotsToCoefficients();
  int64_t level = result.getLevel() + int64_t(groups.size());
  algorithms::TransformChain chain = transformChain(groups, level, factor, result.getScale());
  chain.mostLog2 = std::llround(algorithms::scaleLog2(dropped(level + 1), params.getLimbs()));
  chain.leastLog2 = chain.mostLog2 / 3;
  return scalesOf(algorithms::planTransformScales(chain), result.getScale());
}

/// What the raised operand has, its modulus times a power of two, and what the matrices of
/// CoeffsToSlots leave, up to EvalMod's variable.
SmallVector<ckks::Scale> BootstrapWriter::scalesToVariable(const Scale &raised) {
  ArrayRef<int64_t> groups = op.getCoefficientsToSlots();
  const int64_t top = params.getNumLevels() - 1;
  Scale variable = variableScale(top - int64_t(groups.size()), evalMod.cosine);
  algorithms::TransformChain chain = transformChain(groups, top, coefficientsFactor(), variable);
  chain.isTowardsSlots = true;
  // I is a sum of uniform variables of the secret's weight; a complex value has halves of two
  // variables.
  const double weight =
      expectedWeight(params, params.hasEphemeral() ? ckks::Secret::Ephemeral : ckks::Secret::Main);
  chain.resultSize = std::sqrt((weight + 1) / 24) / evalMod.halfWidth;
  const double log2 = algorithms::scaleLog2(raised, params.getLimbs());
  chain.leastLog2 = int64_t(std::ceil(log2));
  chain.mostLog2 = chain.leastLog2 + 60;
  const std::vector<int64_t> planned = algorithms::planTransformScales(chain);
  SmallVector<Scale> scales = scalesOf(planned, variable);
  scales.front() = raised * Scale::powerOfTwo(std::llround(double(planned.front()) - log2));
  return scales;
}

/// The message of complex `coefficients`, the low half of them their real parts; where all are one
/// vector, both halves side by side. Key switches come before the rescale, which divides their
/// errors too: behind it they would be the largest of the whole circuit.
Value BootstrapWriter::evaluateParts(Value coefficients, const Scale &target) {
  Value conjugate = ckks::ConjugateOp::create(builder, coefficients);
  Value low = ckks::AddOp::create(builder, coefficients, conjugate);
  if (op.getReal())
    return evaluateMod(rescaled(low), target);
  Value high = ckks::SubOp::create(builder, conjugate, coefficients);
  high = ckks::MulByIOp::create(builder, high);
  if (isPacked) {
    high = ckks::RotateOp::create(builder, high, slots);
    return evaluateMod(rescaled(ckks::AddOp::create(builder, low, high)), target);
  }
  low = evaluateMod(rescaled(low), target);
  high = ckks::MulByIOp::create(builder, evaluateMod(rescaled(high), target));
  return ckks::AddOp::create(builder, low, high);
}

/// I + message, as t + 1 / (4 halfWidth), to the message at scale `target`.
Value BootstrapWriter::evaluateMod(Value variable, const Scale &target) {
  begin("EvalMod");
  variable = ckks::AddScalarOp::create(builder, variable,
                                       builder.getF64FloatAttr(-0.25 / evalMod.halfWidth));
  int64_t level =
      typeOf(variable).getLevel() - algorithms::polynomialDepth(evalMod.cosine.degree());
  Scale sine =
      evalMod.hasArcsine() ? variableScale(level - evalMod.doubleAngles, evalMod.arcsine) : target;
  // The scale before each square is the root of what it shall be after it, times what goes.
  SmallVector<Scale> targets = {sine};
  for (int64_t i = evalMod.doubleAngles; i-- > 0;)
    targets.push_back((targets.back() * dropped(level - i)).root());
  Value value = polynomial(variable, evalMod.cosine, level, targets.back());
  for (double subtrahend : evalMod.subtrahends)
    value = doubleAngle(value, subtrahend);
  if (!evalMod.hasArcsine())
    return value;
  level = typeOf(value).getLevel() - algorithms::polynomialDepth(evalMod.arcsine.degree());
  return polynomial(value, evalMod.arcsine, level, target);
}

Value BootstrapWriter::polynomial(Value variable, const algorithms::Polynomial &p, int64_t level,
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
Value BootstrapWriter::doubleAngle(Value value, double subtrahend) {
  Value squared = ckks::SquareOp::create(builder, value);
  squared = ckks::RelinearizeOp::create(builder, squared);
  squared = ckks::AddOp::create(builder, squared, squared);
  return ckks::AddScalarOp::create(builder, rescaled(squared),
                                   builder.getF64FloatAttr(-subtrahend));
}

} // namespace sluice
