//===- CircuitAnalysis.cpp - heights, magnitudes and noise of a packed circuit ----------------===//

#include "passes/CircuitAnalysis.h"
#include "passes/SlotEvaluation.h"
#include "passes/algorithms/Layout.h"
#include "passes/algorithms/PolynomialPlan.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::Interval;

namespace sluice {

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

int64_t slotGranularity(func::FuncOp function, int64_t slots) {
  int64_t length = 1;
  for (BlockArgument argument : function.getArguments())
    if (auto layout = function.getArgAttrOfType<ckks::LayoutAttr>(argument.getArgNumber(),
                                                                  ckks::layoutAttrName))
      length = std::max(length, layout.getLanes());
  function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto ct = dyn_cast<ckks::CtType>(type); ct && ct.getOwnSlots() != 0)
        length = slots;
    llvm::TypeSwitch<Operation *>(op)
        .Case<ckks::AddPlainOp, ckks::MulPlainOp>(
            [&](auto op) { length = std::max(length, op.getValue().getNumElements()); })
        .Case<ckks::LinearTransformOp>(
            [&](auto op) { length = std::max(length, op.getDiagonals().getType().getShape()[1]); })
        .Case<ckks::RotateOp>([&](auto op) {
          while (length < slots && int64_t(op.getBy()) % (slots / length) != 0)
            length *= 2;
        });
  });
  return std::min(length, slots);
}

/// The ranges of an input's slots, from its layout and declared range; an empty place of a batch
/// holds zeros.
static std::vector<Interval> inputRanges(func::FuncOp function, unsigned index, int64_t length) {
  Interval declared =
      rangeOf(function.getArgAttr(index, ckks::rangeAttrName)).value_or(Interval::everything());
  auto layout = function.getArgAttrOfType<ckks::LayoutAttr>(index, ckks::layoutAttrName);
  if (!layout)
    return std::vector<Interval>(length, declared);
  if (layout.getBatched())
    declared = hull(declared, Interval(0));
  std::vector<Interval> result(length, Interval(0));
  int64_t stride = length / layout.getLanes();
  for (int64_t lane : algorithms::lanesOfElements(layout.getShape()))
    std::fill_n(result.begin() + lane * stride, stride, declared);
  return result;
}

//===----------------------------------------------------------------------===//
// Heights and ranges
//===----------------------------------------------------------------------===//

static algorithms::VariableChange changeOf(ckks::PolynomialOp op) {
  algorithms::Polynomial p = toPolynomial(op);
  return algorithms::variableChange(p.basis, p.interval);
}

unsigned levelsOf(Operation *op) {
  if (isa<ckks::MulOp, ckks::SquareOp, ckks::MulPlainOp, ckks::LinearTransformOp>(op))
    return 1;
  if (auto product = dyn_cast<ckks::MulScalarOp>(op))
    return product.getValue().isInteger() ? 0 : 1;
  if (auto polynomial = dyn_cast<ckks::PolynomialOp>(op)) {
    algorithms::Polynomial p = toPolynomial(polynomial);
    return p.degree() == 0 ? 0 : algorithms::polynomialLevels(p.degree(), p.basis, p.interval);
  }
  return 0;
}

void CircuitAnalysis::computeHeights() {
  for (Operation &op : llvm::reverse(function.front())) {
    // A level below it brings the operand of a bootstrap to its scale.
    unsigned above = isa<ckks::RefreshOp>(op)  ? 1
                     : op.getNumResults() == 0 ? 0
                                               : heights.lookup(op.getResult(0)) + levelsOf(&op);
    for (Value operand : op.getOperands()) {
      unsigned &height = heights[operand];
      height = std::max(height, above);
    }
  }
}

unsigned CircuitAnalysis::depth() const {
  unsigned depth = 0;
  for (auto [value, height] : heights)
    depth = std::max(depth, height);
  return depth;
}

void CircuitAnalysis::computeAttenuations() {
  auto demand = [&](Operation *user) -> int {
    if (auto polynomial = dyn_cast<ckks::PolynomialOp>(user)) {
      algorithms::VariableChange change = changeOf(polynomial);
      return change.isFree() ? change.log2HalfWidth() : 0;
    }
    bool passesOn = user->getNumResults() == 1 && levelsOf(user) == 0;
    return passesOn ? attenuations.lookup(user->getResult(0)) : 0;
  };
  auto compute = [&](Value value) {
    std::optional<int> largest;
    for (Operation *user : value.getUsers())
      largest = std::max(largest.value_or(demand(user)), demand(user));
    attenuations[value] = largest.value_or(0);
  };
  for (Operation &op : llvm::reverse(function.front()))
    for (Value result : op.getResults())
      compute(result);
  for (BlockArgument argument : function.getArguments())
    compute(argument);
}

static Interval hullOf(ArrayRef<Interval> slots) {
  Interval result = slots.front();
  for (Interval slot : slots)
    result = hull(result, slot);
  return result;
}

LogicalResult CircuitAnalysis::computeRanges() {
  int64_t length = slotGranularity(function, slots);
  std::vector<std::vector<Interval>> arguments;
  for (BlockArgument argument : function.getArguments()) {
    arguments.push_back(inputRanges(function, argument.getArgNumber(), length));
    ranges[argument] = hullOf(arguments.back());
  }
  auto observe = [&](Operation *op, const std::vector<Interval> &, std::vector<Interval> &result) {
    ranges[op->getResult(0)] = hullOf(result);
  };
  return success(
      succeeded(SlotEvaluator<Interval>(slots, observe).run(function, std::move(arguments))));
}

FailureOr<CircuitAnalysis> CircuitAnalysis::analyze(func::FuncOp function, int64_t slots) {
  CircuitAnalysis analysis;
  analysis.function = function;
  analysis.slots = slots;
  if (failed(analysis.computeRanges()))
    return failure();
  analysis.computeHeights();
  analysis.computeAttenuations();
  analysis.computeGains();
  return analysis;
}

/// What the noise of polynomials and of products with them depends on besides the parameters.
void CircuitAnalysis::computeGains() {
  for (Operation &op : function.front()) {
    if (auto polynomial = dyn_cast<ckks::PolynomialOp>(op)) {
      algorithms::Polynomial p = toPolynomial(polynomial);
      bool isMonomial = p.basis == algorithms::Basis::monomial;
      double bound = isMonomial ? magnitude(polynomial.getInput()) : 1;
      polynomialGains[&op] = std::isfinite(bound) ? algorithms::polynomialNoiseGain(p, bound) : 0;
      Interval domain = ranges.lookup(polynomial.getInput());
      if (!isMonomial)
        domain = intersect(domain, p.interval);
      polynomialSlopes[&op] = std::isfinite(bound) ? algorithms::maxSlope(p, domain) : 0;
    }
    auto product = dyn_cast<ckks::MulOp>(op);
    auto correlated = product ? CorrelatedProduct::match(product) : std::nullopt;
    if (!correlated || !range(correlated->root()).isFinite())
      continue;
    correlated->sample(range(correlated->root()), [&](ckks::PolynomialOp step) {
      return std::ldexp(polynomialGains.lookup(step), attenuations.lookup(step.getResult()));
    });
    correlatedProducts.try_emplace(&op, std::move(*correlated));
  }
}

Value CircuitAnalysis::findUnbounded() const {
  for (BlockArgument argument : function.getArguments())
    if (!range(argument).isFinite())
      return argument;
  for (Operation &op : function.front())
    for (Value result : op.getResults())
      if (!range(result).isFinite())
        return result;
  return {};
}

/// A bound of everything that an evaluation of the polynomial makes on the way.
static double internalMagnitude(ckks::PolynomialOp op, double input) {
  bool isMonomial = op.getBasis() == ckks::Basis::Monomial;
  double sum = 0, power = 1;
  for (double coefficient : op.getCoefficients().getValues<double>()) {
    sum += std::fabs(coefficient) * (isMonomial ? power : 2);
    power *= input;
  }
  return sum;
}

double CircuitAnalysis::baseLog2(unsigned scaleLog2) const {
  // One bit for the sign, one for noise and for limbs that are a little smaller than their nominal
  // size.
  constexpr double marginBits = 2;
  double base = scaleLog2 + marginBits;
  for (auto [value, interval] : ranges) {
    double magnitude = interval.magnitude();
    if (auto polynomial = value.getDefiningOp<ckks::PolynomialOp>())
      magnitude = std::max(magnitude,
                           internalMagnitude(polynomial, this->magnitude(polynomial.getInput())));
    double scale = double(scaleLog2) - attenuations.lookup(value);
    base = std::max(base,
                    scale + std::log2(magnitude) + marginBits - double(scaleLog2) * height(value));
  }
  return base;
}

//===----------------------------------------------------------------------===//
// Noise
//===----------------------------------------------------------------------===//

namespace {

/// Deviations of the elementary errors in a slot, for scale 1.
struct ElementaryErrors {
  ElementaryErrors(const algorithms::NoiseParameters &p, int64_t slots)
      : rounding(algorithms::slotDeviation(roundingVariance(p), double(slots))),
        keySwitch(algorithms::slotDeviation(keySwitchVariance(p), double(slots))),
        encryption(algorithms::slotDeviation(encryptionVariance(p), double(slots))),
        encoding(algorithms::slotDeviation(1.0 / 12, double(slots))) {}

  double rounding, keySwitch, encryption, encoding;
};

double largestEntry(DenseElementsAttr values) {
  double largest = 0;
  for (double value : values.getValues<double>())
    largest = std::max(largest, std::fabs(value));
  return largest;
}

/// The largest Euclidean norm of a row of the matrix.
double largestRowNorm(ckks::LinearTransformOp op) {
  int64_t entries = op.getDiagonals().getType().getShape()[1];
  std::vector<double> squares(entries, 0.0);
  for (auto [i, value] : llvm::enumerate(op.getDiagonals().getValues<double>()))
    squares[i % entries] += value * value;
  return std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

double combine(std::initializer_list<double> deviations) {
  double sum = 0;
  for (double deviation : deviations)
    sum += deviation * deviation;
  return std::sqrt(sum);
}

} // namespace

double CircuitAnalysis::deviationOf(Operation *op, const Deviations &deviations,
                                    const algorithms::NoiseParameters &parameters) const {
  using namespace ckks;
  ElementaryErrors unit(parameters, slots);
  // Errors made at the result's own scale, which may be smaller than nominal.
  double own = std::ldexp(1.0, attenuations.lookup(op->getResult(0)));
  // A plain factor's scale is what takes the operand's to the result's.
  double factorEncoding = std::ldexp(own, -attenuations.lookup(op->getOperand(0))) * unit.encoding;
  double in = deviations.lookup(op->getOperand(0)), size = magnitude(op->getOperand(0));
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<AddOp, SubOp>([&](auto op) {
        bool isTwice = op.getLhs() == op.getRhs();
        return isTwice ? 2 * in : combine({in, deviations.lookup(op.getRhs())});
      })
      // The key switch of a product happens at the product's scale: nothing is left of its error
      // after the rescale.
      .Case<MulOp>([&](auto op) {
        auto correlated = correlatedProducts.find(op);
        if (correlated != correlatedProducts.end())
          return combine({correlated->second.deviation(deviations.lookup(correlated->second.root()),
                                                       unit.rounding),
                          own * unit.rounding});
        return combine({magnitude(op.getRhs()) * in, size * deviations.lookup(op.getRhs()),
                        own * unit.rounding});
      })
      .Case<SquareOp>([&](auto) { return combine({2 * size * in, own * unit.rounding}); })
      .Case<RotateOp, ConjugateOp>([&](auto) { return combine({in, own * unit.keySwitch}); })
      .Case<AddPlainOp>([&](auto) { return combine({in, own * unit.encoding}); })
      .Case<MulPlainOp>([&](auto op) {
        return combine(
            {largestEntry(op.getValue()) * in, size * factorEncoding, own * unit.rounding});
      })
      .Case<MulScalarOp>([&](auto op) {
        double factor = std::fabs(op.getValue().convertToDouble());
        return levelsOf(op) == 0 ? factor * in : combine({factor * in, size, own * unit.rounding});
      })
      .Case<LinearTransformOp>([&](auto op) {
        double inputScale = std::ldexp(1.0, attenuations.lookup(op.getInput()));
        return combine({largestRowNorm(op) * combine({in, inputScale * unit.keySwitch}),
                        std::sqrt(double(op.getIndices().size())) * size * factorEncoding,
                        own * unit.rounding});
      })
      .Case<PolynomialOp>([&](auto op) {
        algorithms::VariableChange change = changeOf(op);
        double slope = polynomialSlopes.lookup(op);
        double changed = change.isFree() ? 0 : slope * change.halfWidth * unit.rounding;
        return combine({slope * in, changed, own * polynomialGains.lookup(op) * unit.rounding});
      })
      .Default([&](Operation *) { return in; });
}

double CircuitAnalysis::noiseAtScaleOne(const algorithms::NoiseParameters &parameters) const {
  Deviations deviations;
  for (BlockArgument argument : function.getArguments())
    deviations[argument] =
        std::ldexp(ElementaryErrors(parameters, slots).encryption, attenuations.lookup(argument));
  double worst = 0;
  for (Operation &op : function.front()) {
    if (op.getNumResults() == 1) {
      deviations[op.getResult(0)] = deviationOf(&op, deviations, parameters);
      continue;
    }
    for (Value output : op.getOperands())
      worst = std::max(worst, deviations.lookup(output));
  }
  return worst;
}

} // namespace sluice
