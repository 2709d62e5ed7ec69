//===- EvaluatePolynomials.cpp - settled polynomials as products and sums ---------------------===//
//
// Carries out an algorithms/PolynomialPlan on settled values: levels and target scales come down
// from the root, so that every sum meets equal scales and the result has exactly the declared one.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/ComplexScalars.h"
#include "passes/LevelChanges.h"
#include "passes/Passes.h"
#include "passes/algorithms/PolynomialPlan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <map>

using namespace mlir;
using sluice::algorithms::Coefficient;
using sluice::algorithms::PolynomialBlock;
using sluice::algorithms::PolynomialPlan;
using sluice::algorithms::PowerStep;
using sluice::ckks::CtType;
using sluice::ckks::Scale;

namespace sluice {

#define GEN_PASS_DEF_EVALUATEPOLYNOMIALS
#include "passes/Passes.h.inc"

namespace {

Scale scaleOf(Value value) { return cast<CtType>(value.getType()).getScale(); }
int64_t levelOf(Value value) { return cast<CtType>(value.getType()).getLevel(); }

/// Writes one polynomial. Follows docs/mathematics.md section 6, `eval`; a block is one call of it.
class PolynomialWriter {
public:
  PolynomialWriter(ckks::PolynomialOp op, ckks::ParamsAttr params, const PolynomialPlan &plan)
      : op(op), params(params), plan(plan), builder(op.getLoc(), op) {}

  /// The value of the polynomial; null after an error.
  Value write(Value variable) {
    powers[1] = variable;
    for (const PowerStep &step : plan.powers)
      powers[step.index] = makePower(step);
    placeBlocks();
    std::vector<Value> values;
    for (unsigned block = 0; block < plan.blocks.size(); ++block) {
      values.push_back(makeBlock(block, values));
      if (!values.back())
        return {};
    }
    return values.back();
  }

private:
  /// Level and scale that a block's value shall have, and the scale of the sum before its rescale,
  /// one level higher.
  struct Place {
    int64_t level;
    Scale scale, rawScale;
  };

  Value lowered(Value value, int64_t level) {
    Value &result = loweredValues[{value, level}];
    if (!result)
      result = lowerToLevel(builder, op.getLoc(), value, level, params);
    return result;
  }
  Value power(unsigned index, int64_t level) { return lowered(powers.at(index), level); }

  FloatAttr number(double value) { return builder.getF64FloatAttr(value); }

  /// T_high * T_low, in the Chebyshev basis doubled and less T_{high-low}, subtracted before the
  /// rescale.
  Value makePower(const PowerStep &step) {
    int64_t level = std::min(levelOf(powers.at(step.high)), levelOf(powers.at(step.low)));
    Value product = multiply(power(step.high, level), power(step.low, level));
    product = ckks::RelinearizeOp::create(builder, product);
    if (plan.basis == algorithms::Basis::chebyshev) {
      product = ckks::AddOp::create(builder, product, product);
      if (step.high == step.low) {
        product = ckks::AddScalarOp::create(builder, product, number(-1));
      } else {
        Value subtrahend = ckks::AdjustScaleOp::create(builder, power(step.high - step.low, level),
                                                       scaleOf(product));
        product = ckks::SubOp::create(builder, product, subtrahend);
      }
    }
    return ckks::RescaleOp::create(builder, product, level - 1, params);
  }

  Value multiply(Value lhs, Value rhs) {
    if (lhs == rhs)
      return ckks::SquareOp::create(builder, lhs);
    return ckks::MulOp::create(builder, lhs, rhs);
  }

  /// From the root down: a child's scale times that of its power must be the parent's before its
  /// rescale.
  void placeBlocks() {
    places.resize(plan.blocks.size());
    auto result = cast<CtType>(op.getResult().getType());
    placeBlock(plan.blocks.size() - 1, result.getLevel(), result.getScale());
    for (unsigned block = plan.blocks.size(); block-- > 0;)
      for (const algorithms::BlockProduct &product : plan.blocks[block].products) {
        int64_t level = places[block].level + 1;
        placeBlock(product.child, level,
                   places[block].rawScale / scaleOf(power(product.power, level)));
      }
  }

  void placeBlock(unsigned block, int64_t level, const Scale &scale) {
    places[block] = {level, scale, scale / params.getRescaleFactor(level + 1, level)};
  }

  /// The rescaled sum of products, constants times powers, and the constant.
  Value makeBlock(unsigned number, ArrayRef<Value> values) {
    const PolynomialBlock &block = plan.blocks[number];
    const Place &place = places[number];
    Value sum;
    for (const algorithms::BlockProduct &product : block.products)
      sum = plus(sum, multiply(values[product.child], power(product.power, place.level + 1)));
    if (sum) // one relinearisation for all products
      sum = ckks::RelinearizeOp::create(builder, sum);
    Value imaginary; // to be multiplied by i, once for all terms
    for (const algorithms::BlockTerm &term : block.terms) {
      Value factor = power(term.power, place.level + 1);
      Scale scale = place.rawScale / scaleOf(factor);
      if (failed(checkConstantScale(scale)))
        return {};
      sum = plusTerm(sum, factor, term.coefficient.real(), scale);
      imaginary = plusTerm(imaginary, factor, term.coefficient.imag(), scale);
    }
    sum = addComplex(builder, op.getLoc(), sum, imaginary, block.constant);
    return ckks::RescaleOp::create(builder, sum, place.level, params);
  }

  /// sum + coefficient * factor, of real numbers.
  Value plusTerm(Value sum, Value factor, double coefficient, const Scale &scale) {
    if (coefficient == 0)
      return sum;
    return plus(sum, ckks::MulScalarOp::create(builder, factor, number(coefficient),
                                               ckks::ScaleAttr::get(op.getContext(), scale)));
  }

  Value plus(Value sum, Value term) {
    return sum ? ckks::AddOp::create(builder, sum, term).getResult() : term;
  }

  /// A constant at a small scale is a constant with few digits: the operand's scale is far from the
  /// limbs.
  LogicalResult checkConstantScale(const Scale &scale) {
    constexpr int64_t minLog2 = 10, warnLog2 = 20;
    int64_t log2 = scale.log2Fixed(params.getLimbs()) >> 20;
    if (log2 < minLog2)
      return op.emitError() << "a coefficient would be rounded at scale 2^" << log2
                            << "; the scale of the operand, " << scaleOf(powers.at(1)).str()
                            << " as a variable in [-1, 1], must be near the limbs of the levels";
    if (log2 < warnLog2 && !std::exchange(hasWarned, true))
      op.emitWarning() << "coefficients are rounded at scale 2^" << log2
                       << ": the operand's scale is far from the limbs of the levels";
    return success();
  }

  ckks::PolynomialOp op;
  ckks::ParamsAttr params;
  const PolynomialPlan &plan;
  ImplicitLocOpBuilder builder;
  std::map<unsigned, Value> powers;
  DenseMap<std::pair<Value, int64_t>, Value> loweredValues;
  std::vector<Place> places; ///< by block
  bool hasWarned = false;
};

struct EvaluatePolynomials : impl::EvaluatePolynomialsBase<EvaluatePolynomials> {
  using EvaluatePolynomialsBase::EvaluatePolynomialsBase;

  void runOnOperation() override {
    SmallVector<ckks::PolynomialOp> polynomials;
    getOperation().walk([&](ckks::PolynomialOp op) { polynomials.push_back(op); });
    for (ckks::PolynomialOp op : polynomials)
      if (failed(expand(op)))
        return signalPassFailure();
  }

private:
  LogicalResult expand(ckks::PolynomialOp op) {
    // Where an approximation means something stays written down: driver/Forecast draws inputs by
    // it.
    Operation *producer = op.getInput().getDefiningOp();
    if (producer && op.getBasis() == ckks::Basis::Chebyshev)
      producer->setAttr(ckks::rangeAttrName, op.getIntervalAttr());
    auto type = dyn_cast<CtType>(op.getResult().getType());
    if (!type || type.isFloating())
      return op.emitError() << "has no level and scale yet; run settle-scales first";
    ckks::ParamsAttr params = ckks::findParams(op);
    if (!params)
      return getOperation()->emitError() << "the module has no '" << ckks::paramsAttrName << "'";
    FailureOr<Value> variable = makeVariable(op);
    if (failed(variable))
      return failure();

    SmallVector<Coefficient> coefficients = op.getComplexCoefficients();
    while (coefficients.size() > 1 && coefficients.back() == Coefficient(0))
      coefficients.pop_back();
    Value result = coefficients.size() == 1 ? makeConstant(op, coefficients[0], params)
                                            : evaluate(op, *variable, coefficients, params);
    if (!result)
      return failure();
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    ++expanded;
    return success();
  }

  Value evaluate(ckks::PolynomialOp op, Value variable, ArrayRef<Coefficient> coefficients,
                 ckks::ParamsAttr params) {
    auto basis = op.getBasis() == ckks::Basis::Chebyshev ? algorithms::Basis::chebyshev
                                                         : algorithms::Basis::monomial;
    PolynomialPlan plan = algorithms::planPolynomial(coefficients, basis);
    // Leading zero coefficients were counted as levels: begin as much lower.
    int64_t start = cast<CtType>(op.getResult().getType()).getLevel() + plan.depth;
    OpBuilder builder(op);
    variable = lowerToLevel(builder, op.getLoc(), variable, start, params);
    ciphertextProducts += plan.ciphertextProducts();
    constantProducts += plan.constantProducts();
    return PolynomialWriter(op, params, plan).write(variable);
  }

  /// t = (x - centre) / 2^k, by declaring another scale.
  FailureOr<Value> makeVariable(ckks::PolynomialOp op) {
    if (op.getBasis() == ckks::Basis::Monomial)
      return op.getInput();
    auto [low, high] = *op.getIntervalBounds();
    auto change = algorithms::variableChange(algorithms::Basis::chebyshev, {low, high});
    if (!change.isFree()) {
      std::string interval;
      llvm::raw_string_ostream(interval) << llvm::format("[%g, %g]", low, high);
      return op.emitError() << "the interval " << interval
                            << " must have a power of two as half-width; settle-scales brings "
                               "others to [-1, 1], which costs a level";
    }
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value variable = op.getInput();
    if (change.centre != 0)
      variable =
          ckks::AddScalarOp::create(builder, variable, builder.getF64FloatAttr(-change.centre));
    if (change.halfWidth != 1)
      variable = ckks::ReinterpretOp::create(builder, variable,
                                             builder.getF64FloatAttr(1 / change.halfWidth));
    return variable;
  }

  /// 0 * x + c at the declared level and scale.
  Value makeConstant(ckks::PolynomialOp op, Coefficient constant, ckks::ParamsAttr params) {
    auto from = cast<CtType>(op.getInput().getType()), to = cast<CtType>(op.getResult().getType());
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Scale raw = to.getScale();
    if (from.getLevel() > to.getLevel())
      raw /= params.getRescaleFactor(from.getLevel(), to.getLevel());
    Value value =
        ckks::MulScalarOp::create(builder, op.getInput(), builder.getF64FloatAttr(0),
                                  ckks::ScaleAttr::get(op.getContext(), raw / from.getScale()));
    value = addNumber(builder, op.getLoc(), value, constant);
    if (from.getLevel() > to.getLevel())
      value = ckks::RescaleOp::create(builder, value, to.getLevel(), params);
    return value;
  }
};

} // namespace
} // namespace sluice
