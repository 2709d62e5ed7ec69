//===- EvaluatePolynomials.cpp - settled polynomials as products and sums ---------------------===//
//
// Carries out an algorithms/PolynomialPlan on settled values: levels and target scales come down
// from the root, so that every sum meets equal scales and the result has exactly the declared one.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/ComplexScalars.h"
#include "passes/CostsAttribute.h"
#include "passes/LevelChanges.h"
#include "passes/Passes.h"
#include "passes/PowerTable.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/CostModel.h"
#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/TermLevels.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <map>
#include <tuple>

using namespace mlir;
using sluice::algorithms::Coefficient;
using sluice::algorithms::PolynomialBlock;
using sluice::algorithms::PolynomialPlan;
using sluice::ckks::CtType;
using sluice::ckks::Scale;

namespace sluice {

#define GEN_PASS_DEF_EVALUATEPOLYNOMIALS
#include "passes/Passes.h.inc"

namespace {

Scale scaleOf(Value value) { return cast<CtType>(value.getType()).getScale(); }

/// Writes one polynomial. Follows docs/mathematics.md section 6, `eval`; a block is one call of it.
class PolynomialWriter {
public:
  PolynomialWriter(ckks::PolynomialOp op, ckks::ParamsAttr params, const PolynomialPlan &plan,
                   PowerTable &powers, algorithms::TermLevels termLevels)
      : op(op), params(params), plan(plan), powers(powers), termLevels(std::move(termLevels)),
        builder(op.getLoc(), op) {}

  /// The value of the polynomial, the powers being there; null after an error.
  Value write() {
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

  /// Of a block's terms: a product stands one level above its power.
  Value termPower(unsigned index, int64_t level) {
    return level > powers.levelOf(index) ? powers.product(index) : power(index, level);
  }

  Value power(unsigned index, int64_t level) { return powers.at(index, level, builder, params); }

  FloatAttr number(double value) { return builder.getF64FloatAttr(value); }

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
    places[block] = {level, scale, rawScale(scale, level + 1, level)};
  }

  /// What a rescale between two levels brings to `scale`.
  Scale rawScale(const Scale &scale, int64_t from, int64_t to) const {
    return scale / params.getRescaleFactor(from, to);
  }

  /// The rescaled sum of products, constants times powers, and the constant.
  Value makeBlock(unsigned number, ArrayRef<Value> values) {
    const PolynomialBlock &block = plan.blocks[number];
    const Place &place = places[number];
    const int64_t level = place.level + 1, termLevel = termLevels.ofBlock[number];
    Value sum;
    for (const algorithms::BlockProduct &product : block.products)
      sum = plus(sum, multiply(builder, values[product.child], power(product.power, level)));
    if (sum) // one relinearisation for all products
      sum = ckks::RelinearizeOp::create(builder, sum);
    if (sum && termLevel != level) {
      Value terms = lowerTerms(number, level);
      sum = terms ? plus(sum, terms) : Value();
    } else { // without products, one rescale goes all the way
      sum = addTerms(sum, block, termLevel, rawScale(place.scale, termLevel, place.level));
    }
    return sum ? ckks::RescaleOp::create(builder, sum, place.level, params).getResult() : Value();
  }

  /// The terms and the constant of a block, from a higher level; null after an error.
  Value lowerTerms(unsigned number, int64_t level) {
    const int64_t from = termLevels.ofBlock[number];
    const bool isDivided = termLevels.dividedSums.contains(number);
    Scale scale = places[number].rawScale;
    Value terms =
        addTerms({}, plan.blocks[number], from, isDivided ? rawScale(scale, from, level) : scale);
    if (!terms || !isDivided)
      return terms ? lowerToLevel(builder, op.getLoc(), terms, level, params) : terms;
    return ckks::RescaleOp::create(builder, terms, level, params);
  }

  /// sum + the block's terms and constant, at `rawScale`; null after an error.
  Value addTerms(Value sum, const PolynomialBlock &block, int64_t level, const Scale &rawScale) {
    Value imaginary; // to be multiplied by i, once for all terms
    for (const algorithms::BlockTerm &term : block.terms) {
      Value factor = termPower(term.power, level);
      Scale scale = rawScale / scaleOf(factor);
      if (failed(checkConstantScale(scale)))
        return {};
      sum = plusTerm(sum, factor, term.coefficient.real(), scale);
      imaginary = plusTerm(imaginary, factor, term.coefficient.imag(), scale);
    }
    return addComplex(builder, op.getLoc(), sum, imaginary, block.constant);
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
                            << "; the scale of the operand, "
                            << scaleOf(power(1, powers.top())).str()
                            << " as a variable in [-1, 1], must be near the limbs of the levels";
    if (log2 < warnLog2 && !std::exchange(hasWarned, true))
      op.emitWarning() << "coefficients are rounded at scale 2^" << log2
                       << ": the operand's scale is far from the limbs of the levels";
    return success();
  }

  ckks::PolynomialOp op;
  ckks::ParamsAttr params;
  const PolynomialPlan &plan;
  PowerTable &powers;
  algorithms::TermLevels termLevels;
  ImplicitLocOpBuilder builder;
  std::vector<Place> places; ///< by block
  bool hasWarned = false;
};

/// A polynomial to be expanded.
struct Expansion {
  ckks::PolynomialOp op;
  PolynomialPlan plan;
  PowerTable *powers; ///< null for a constant
};

struct EvaluatePolynomials : impl::EvaluatePolynomialsBase<EvaluatePolynomials> {
  using EvaluatePolynomialsBase::EvaluatePolynomialsBase;

  void runOnOperation() override {
    tables.clear();
    FailureOr<CostTable> found = readCosts(getOperation());
    if (failed(found))
      return signalPassFailure();
    costs = std::move(*found);
    SmallVector<Expansion> expansions;
    WalkResult result = getOperation().walk([&](ckks::PolynomialOp op) {
      FailureOr<Expansion> expansion = plan(op);
      if (failed(expansion))
        return WalkResult::interrupt();
      expansions.push_back(std::move(*expansion));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (const Expansion &expansion : expansions)
      if (failed(expand(expansion)))
        return signalPassFailure();
  }

private:
  /// Polynomials of one key have one variable: where it comes from, and how it is changed.
  using VariableKey = std::tuple<Block *, void *, algorithms::Basis, double, double>;

  FailureOr<Expansion> plan(ckks::PolynomialOp op) {
    auto type = dyn_cast<CtType>(op.getResult().getType());
    if (!type || type.isFloating())
      return op.emitError() << "has no level and scale yet; run settle-scales first", failure();
    ckks::ParamsAttr params = ckks::findParams(op);
    if (!params)
      return getOperation()->emitError() << "the module has no '" << ckks::paramsAttrName << "'",
             failure();
    SmallVector<Coefficient> coefficients = op.getComplexCoefficients();
    while (coefficients.size() > 1 && coefficients.back() == Coefficient(0))
      coefficients.pop_back();
    if (coefficients.size() == 1)
      return Expansion{op, {}, nullptr};
    algorithms::VariableChange change = variableChangeOf(op);
    if (!change.isFree())
      return refuseInterval(op), failure();
    Expansion expansion{op, algorithms::planPolynomial(coefficients, basisOf(op)), nullptr};
    Value source = withoutLevelChange(op.getInput(), params);
    expansion.powers = &tables[{op->getBlock(), source.getAsOpaquePointer(), basisOf(op),
                                change.centre, change.halfWidth}];
    // Leading zero coefficients were counted as levels: begin as much lower.
    expansion.powers->announce(expansion.plan, type.getLevel() + expansion.plan.depth);
    return expansion;
  }

  LogicalResult expand(const Expansion &expansion) {
    ckks::PolynomialOp op = expansion.op;
    ckks::ParamsAttr params = ckks::findParams(op);
    Value input = op.getInput(), source = withoutLevelChange(input, params);
    keepRange(op, source);
    Value result = expansion.powers ? evaluate(expansion, source, params)
                                    : makeConstant(op, op.getComplexCoefficients()[0], params);
    if (!result)
      return failure();
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    while (input != source && input.use_empty()) { // the level change that others did not need
      Operation *unused = input.getDefiningOp();
      input = unused->getOperand(0);
      unused->erase();
    }
    ++expanded;
    return success();
  }

  Value evaluate(const Expansion &expansion, Value source, ckks::ParamsAttr params) {
    ckks::PolynomialOp op = expansion.op;
    const PolynomialPlan &plan = expansion.plan;
    PowerTable &powers = *expansion.powers;
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    if (!powers.hasVariable()) {
      Value lowered = lowerToLevel(builder, op.getLoc(), source, powers.top(), params);
      powers.setVariable(makeVariable(op, lowered));
    }
    algorithms::TermLevels levels = termLevels(expansion, params);
    unsigned sharedPowers =
        plan.powers.size() - powers.make(plan, levels.rescaled, builder, params);
    ciphertextProducts += plan.ciphertextProducts() - sharedPowers;
    constantProducts += plan.constantProducts();
    return PolynomialWriter(op, params, plan, powers, std::move(levels)).write();
  }

  algorithms::TermLevels termLevels(const Expansion &expansion, ckks::ParamsAttr params) const {
    const PolynomialPlan &plan = expansion.plan;
    ckks::PolynomialOp op = expansion.op;
    const algorithms::ScaleChain chain = chainOf(params);
    const algorithms::KernelCosts prices = algorithms::kernelCosts(costs, params.getLogN());
    algorithms::PolynomialLevels levels;
    levels.top = cast<CtType>(op.getResult().getType()).getLevel() + plan.depth;
    levels.ofPower = [&](unsigned index) { return expansion.powers->levelOf(index); };
    levels.isNested = [&](int64_t from, int64_t to) {
      return !chain.dropExponent(from, to).has_value();
    };
    levels.division = [&](int64_t from, int64_t to, bool isOfSwitch) {
      auto isKept = [&](int64_t limb) { return llvm::is_contained(params.getLevel(to), limb); };
      size_t dropped = llvm::size(params.getLevel(from)) -
                       llvm::count_if(params.getLevel(from), isKept) +
                       (isOfSwitch ? params.getSpecial().size() : 0);
      algorithms::Work work =
          algorithms::divideWork(params.getLogN(), dropped, params.getLevel(to).size());
      return 2 * work.latencyNs(prices);
    };
    return algorithms::chooseTermLevels(plan, levels);
  }

  static algorithms::Basis basisOf(ckks::PolynomialOp op) {
    return op.getBasis() == ckks::Basis::Chebyshev ? algorithms::Basis::chebyshev
                                                   : algorithms::Basis::monomial;
  }

  static algorithms::VariableChange variableChangeOf(ckks::PolynomialOp op) {
    auto [low, high] = op.getIntervalBounds().value_or(std::pair(-1.0, 1.0));
    return algorithms::variableChange(basisOf(op), {low, high});
  }

  static void refuseInterval(ckks::PolynomialOp op) {
    auto [low, high] = *op.getIntervalBounds();
    std::string interval;
    llvm::raw_string_ostream(interval) << llvm::format("[%g, %g]", low, high);
    op.emitError() << "the interval " << interval
                   << " must have a power of two as half-width; settle-scales brings others to "
                      "[-1, 1], which costs a level";
  }

  /// Where an approximation means something stays written down, the narrowest interval of several:
  /// driver/Forecast draws inputs by it.
  static void keepRange(ckks::PolynomialOp op, Value source) {
    Operation *producer = source.getDefiningOp();
    if (!producer || op.getBasis() != ckks::Basis::Chebyshev)
      return;
    auto [low, high] = *op.getIntervalBounds();
    auto present = rangeOf(producer->getAttr(ckks::rangeAttrName));
    if (!present || present->low < low || present->high > high)
      producer->setAttr(ckks::rangeAttrName, op.getIntervalAttr());
  }

  /// t = (x - centre) / 2^k, by declaring another scale.
  Value makeVariable(ckks::PolynomialOp op, Value variable) {
    ImplicitLocOpBuilder builder(op.getLoc(), op);
    algorithms::VariableChange change = variableChangeOf(op);
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

  std::map<VariableKey, PowerTable> tables;
  CostTable costs;
};

} // namespace
} // namespace sluice
