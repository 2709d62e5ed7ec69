//===- PackedBuilder.cpp - tensor arithmetic on lanes of one ciphertext -----------------------===//

#include "passes/PackedBuilder.h"
#include "passes/TensorEvaluation.h"

#include "llvm/ADT/MapVector.h"

#include <bit>
#include <map>

using namespace mlir;
using sluice::algorithms::Interval;
using sluice::algorithms::LaneEntry;
using sluice::algorithms::Shape;

namespace sluice {

static bool isConstantVector(const std::vector<double> &values) {
  return llvm::all_of(values, [&](double value) { return value == values.front(); });
}

static Interval hullOf(const std::vector<double> &values) {
  Interval result = values.front();
  for (double value : values)
    result = hull(result, Interval(value));
  return result;
}

//===----------------------------------------------------------------------===//
// Single operations
//===----------------------------------------------------------------------===//

std::vector<double> PackedBuilder::laneValues(const Shape &shape,
                                              const std::vector<double> &elements,
                                              double fill) const {
  std::vector<double> result(lanes, fill);
  for (auto [lane, element] : llvm::zip_equal(algorithms::lanesOfElements(shape), elements))
    result[lane] = element;
  return result;
}

static DenseElementsAttr vectorAttr(OpBuilder &builder, ArrayRef<double> values) {
  return DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, builder.getF64Type()), values);
}

Value PackedBuilder::addPlain(Value ct, const std::vector<double> &values) {
  if (!isConstantVector(values))
    return ckks::AddPlainOp::create(builder, loc, ct, vectorAttr(builder, values));
  if (values.front() == 0)
    return ct;
  return ckks::AddScalarOp::create(builder, loc, ct, builder.getF64FloatAttr(values.front()));
}

Value PackedBuilder::multiplyScalar(Value ct, double value) {
  if (value == 1)
    return ct;
  if (value == -1)
    return ckks::NegateOp::create(builder, loc, ct);
  return ckks::MulScalarOp::create(builder, loc, ct, builder.getF64FloatAttr(value),
                                   ckks::ScaleAttr());
}

Value PackedBuilder::multiplyPlain(Value ct, const std::vector<double> &values) {
  if (isConstantVector(values))
    return multiplyScalar(ct, values.front());
  return ckks::MulPlainOp::create(builder, loc, ct, vectorAttr(builder, values), ckks::ScaleAttr(),
                                  ckks::DftDiagonalAttr());
}

Value PackedBuilder::sumLanes(Value ct) {
  for (int64_t shift = lanes / 2; shift >= 1; shift /= 2) {
    Value rotated = ckks::RotateOp::create(builder, loc, ct,
                                           builder.getI64IntegerAttr(shift * (slots / lanes)));
    ct = ckks::AddOp::create(builder, loc, ct, rotated);
  }
  return ct;
}

Value PackedBuilder::linearTransform(Value ct, const std::vector<LaneEntry> &entries) {
  algorithms::Diagonals diagonals = algorithms::collectDiagonals(entries, lanes);
  if (diagonals.indices.empty())
    return multiplyScalar(ct, 0);
  if (diagonals.indices == std::vector<int64_t>{0})
    return multiplyPlain(ct, diagonals.values.front());
  SmallVector<double> values;
  for (const std::vector<double> &diagonal : diagonals.values)
    values.append(diagonal.begin(), diagonal.end());
  auto type =
      RankedTensorType::get({int64_t(diagonals.indices.size()), lanes}, builder.getF64Type());
  return ckks::LinearTransformOp::create(builder, loc, ct,
                                         builder.getDenseI64ArrayAttr(diagonals.indices),
                                         DenseElementsAttr::get(type, ArrayRef<double>(values)),
                                         ckks::ScaleAttr(), ckks::DftMatrixAttr());
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

Packed PackedBuilder::elementwise(Value ct, const Packed &a, const Packed &b, Interval range,
                                  Interval padding) const {
  Packed result{ct, a.shape, a.isUniform && b.isUniform, 0, range, padding};
  if (!hasPadding(result))
    result.padding = Interval(0);
  return result;
}

/// What stands in the lanes without element of an operand.
static Interval paddingOf(const Packed &a) { return a.isUniform ? a.range : a.padding; }

Packed PackedBuilder::add(Packed a, Packed b) {
  a = atFirstLane(a), b = atFirstLane(b);
  return elementwise(ckks::AddOp::create(builder, loc, a.ct, b.ct), a, b, a.range + b.range,
                     paddingOf(a) + paddingOf(b));
}

Packed PackedBuilder::subtract(Packed a, Packed b) {
  a = atFirstLane(a), b = atFirstLane(b);
  return elementwise(ckks::SubOp::create(builder, loc, a.ct, b.ct), a, b, a.range - b.range,
                     paddingOf(a) - paddingOf(b));
}

Packed PackedBuilder::multiply(Packed a, Packed b) {
  a = atFirstLane(a), b = atFirstLane(b);
  return elementwise(ckks::MulOp::create(builder, loc, a.ct, b.ct), a, b, a.range * b.range,
                     paddingOf(a) * paddingOf(b));
}

Packed PackedBuilder::negate(Packed a) {
  a.ct = ckks::NegateOp::create(builder, loc, a.ct);
  a.range = -a.range;
  a.padding = -a.padding;
  return a;
}

Packed PackedBuilder::square(Packed a) {
  a.ct = ckks::SquareOp::create(builder, loc, a.ct);
  a.range = algorithms::power(a.range, 2);
  a.padding = algorithms::power(a.padding, 2);
  return a;
}

Packed PackedBuilder::power(const Packed &a, int64_t exponent) {
  std::map<int64_t, Packed> powers{{1, a}};
  auto raise = [&](auto &self, int64_t n) -> Packed {
    if (auto known = powers.find(n); known != powers.end())
      return known->second;
    int64_t high = int64_t(std::bit_floor(uint64_t(n - 1)));
    Packed result =
        n == 2 * high ? square(self(self, high)) : multiply(self(self, high), self(self, n - high));
    // Tighter than interval products: the factors are powers of one number.
    result.range = algorithms::power(a.range, int(n));
    result.padding = algorithms::power(a.padding, int(n));
    return powers[n] = result;
  };
  return raise(raise, exponent);
}

Packed PackedBuilder::addConstant(Packed a, const std::vector<double> &elements) {
  a = atFirstLane(a);
  bool isConstant = isConstantVector(elements);
  // A scalar is cheaper than a vector, unless it would spoil zeros.
  bool fillsPadding = isConstant && (a.isUniform || !hasPadding(a) || !(a.padding == Interval(0)));
  double fill = fillsPadding ? elements.front() : 0;
  a.padding = paddingOf(a) + Interval(fill);
  a.range = a.range + hullOf(elements);
  a.isUniform = a.isUniform && isConstant;
  a.ct = addPlain(a.ct, laneValues(a.shape, elements, fill));
  return a;
}

Packed PackedBuilder::multiplyConstant(Packed a, const std::vector<double> &elements) {
  a = atFirstLane(a);
  bool isConstant = isConstantVector(elements);
  double fill = isConstant ? elements.front() : 0;
  a.padding = paddingOf(a) * Interval(fill);
  a.range = a.range * hullOf(elements);
  a.isUniform = a.isUniform && isConstant;
  a.ct = multiplyPlain(a.ct, laneValues(a.shape, elements, fill));
  return a;
}

Packed PackedBuilder::clearPadding(Packed a) {
  if (!hasPadding(a) || a.padding == Interval(0))
    return a;
  a.ct = multiplyPlain(a.ct, laneValues(a.shape, std::vector<double>(a.elements(), 1.0)));
  a.padding = Interval(0);
  return a;
}

Packed PackedBuilder::confinePadding(Packed a, Interval domain) {
  auto isInside = [&](Interval x) { return domain.contains(x.low) && domain.contains(x.high); };
  if (!hasPadding(a) || isInside(a.padding))
    return a;
  a = clearPadding(a);
  if (!isInside(a.padding)) {
    double middle = (domain.low + domain.high) / 2;
    a.ct = addPlain(a.ct, laneValues(a.shape, std::vector<double>(a.elements(), 0.0), middle));
    a.padding = Interval(middle);
  }
  return a;
}

Packed PackedBuilder::polynomial(Packed a, ckks::PolynomialOp op) {
  algorithms::Polynomial p = toPolynomial(op);
  bool isChebyshev = p.basis == algorithms::Basis::chebyshev;
  double bound = a.range.magnitude();
  a = confinePadding(atFirstLane(a), isChebyshev ? p.interval : Interval(-bound, bound));
  a.ct = ckks::PolynomialOp::create(builder, loc, a.ct.getType(), a.ct, op.getBasis(),
                                    p.coefficients, op.getIntervalBounds());
  a.range = evaluatePolynomial(p, a.range);
  if (hasPadding(a))
    a.padding = evaluatePolynomial(p, a.padding);
  return a;
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

Packed PackedBuilder::sumElements(Packed a) {
  double count = double(a.elements());
  if (a.isUniform) {
    a.ct = multiplyScalar(a.ct, count);
  } else {
    a.ct = sumLanes(clearPadding(a).ct);
    a.isUniform = true;
  }
  a.range = a.range * Interval(count);
  a.shape.clear();
  return a;
}

Packed PackedBuilder::replicate(Packed a) {
  if (a.isUniform)
    return a;
  if (!(a.padding == Interval(0))) {
    std::vector<double> mask(lanes, 0.0);
    mask[a.lane] = 1;
    a.ct = multiplyPlain(a.ct, mask);
  }
  a.ct = sumLanes(a.ct);
  a.isUniform = true;
  a.lane = 0;
  return a;
}

Packed PackedBuilder::atFirstLane(const Packed &a) { return a.lane == 0 ? a : replicate(a); }

/// Bounds of sum over terms of value * x with x in `range`, for the element with the largest sums.
static Interval rangeOfSums(Interval range, int64_t outputs,
                            const std::vector<PackedBuilder::Term> &terms) {
  std::vector<Interval> sums(outputs, Interval(0));
  for (const PackedBuilder::Term &term : terms)
    sums[term.out] = sums[term.out] + Interval(term.value) * range;
  Interval result = sums.front();
  for (Interval sum : sums)
    result = hull(result, sum);
  return result;
}

Packed PackedBuilder::linearMap(Packed a, const Shape &shape, const std::vector<Term> &terms) {
  Packed result{
      {},         shape, false, 0, rangeOfSums(a.range, algorithms::elementCount(shape), terms),
      Interval(0)};
  if (a.elements() == 1 && !a.isUniform && result.elements() > 1)
    a = replicate(a);
  if (a.isUniform) {
    std::vector<double> factors(result.elements(), 0.0);
    for (const Term &term : terms)
      factors[term.out] += term.value;
    a.shape = shape;
    Packed product = multiplyConstant(a, factors);
    product.range = result.range;
    return product;
  }
  if (result.elements() == 1 && terms.size() == 1 && terms.front().value == 1) {
    // One element, left where it is: its users know the lane.
    result.ct = a.ct;
    result.lane =
        a.elements() == 1 ? a.lane : algorithms::lanesOfElements(a.shape)[terms.front().in];
    result.padding =
        a.elements() == 1 ? a.padding : hull(a.range, hasPadding(a) ? a.padding : a.range);
    return result;
  }
  a = atFirstLane(a);
  std::vector<int64_t> inLanes = algorithms::lanesOfElements(a.shape);
  if (result.elements() == 1) {
    std::vector<double> weights(a.elements(), 0.0);
    for (const Term &term : terms)
      weights[term.in] += term.value;
    // Weights and the zeros that the sum needs are one product, unless both are there already.
    bool isPlainSum = llvm::all_of(weights, [](double weight) { return weight == 1; });
    if (!isPlainSum && hasPadding(a) && !(a.padding == Interval(0))) {
      a.ct = multiplyPlain(a.ct, laneValues(a.shape, weights));
      a.padding = Interval(0);
    } else {
      a = multiplyConstant(a, weights);
    }
    Packed sum = sumElements(a);
    sum.shape = shape;
    sum.range = result.range;
    return sum;
  }
  std::vector<int64_t> outLanes = algorithms::lanesOfElements(shape);
  std::vector<LaneEntry> entries;
  bool isIdentity = int64_t(terms.size()) == result.elements();
  for (const Term &term : terms) {
    entries.push_back({outLanes[term.out], inLanes[term.in], term.value});
    isIdentity = isIdentity && entries.back().row == entries.back().column && term.value == 1;
  }
  if (isIdentity) { // a reshape or a leading slice
    result.ct = a.ct;
    result.padding = result.elements() == a.elements() ? a.padding : hull(a.range, a.padding);
    return result;
  }
  result.ct = linearTransform(a.ct, entries);
  return result;
}

Packed PackedBuilder::gather(const std::vector<Packed> &elements,
                             const std::vector<int64_t> &positions, const Shape &shape) {
  std::vector<int64_t> outLanes = algorithms::lanesOfElements(shape);
  // One linear map per source ciphertext. A uniform source has each element in place already.
  llvm::MapVector<Value, std::vector<LaneEntry>> sources;
  bool isComplete = elements.size() == outLanes.size();
  Interval range = isComplete ? elements.front().range : Interval(0);
  for (auto [element, position] : llvm::zip_equal(elements, positions)) {
    int64_t lane = outLanes[position];
    sources[element.ct].push_back({lane, element.isUniform ? lane : element.lane, 1.0});
    range = hull(range, element.range);
  }
  Packed result{elements.front().ct,
                shape,
                isComplete && sources.size() == 1 && elements.front().isUniform,
                0,
                range,
                Interval(0)};
  if (result.isUniform)
    return result;
  result.ct = {};
  for (auto &[ct, entries] : sources) {
    Value placed = linearTransform(ct, entries);
    result.ct = result.ct ? Value(ckks::AddOp::create(builder, loc, result.ct, placed)) : placed;
  }
  return result;
}

} // namespace sluice
