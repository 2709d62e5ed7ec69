//===- Interval.h - closed intervals of reals -------------------------------------------------===//
//
// The number type of range analysis: the interpreters of traced and packed programs run on it as
// they run on doubles. Bounds are computed in double without directed rounding: the passes widen
// every range by far more than 2^-50.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_INTERVAL_H
#define SLUICE_PASSES_ALGORITHMS_INTERVAL_H

namespace sluice::algorithms {

/// The closed interval [low, high], low <= high; either bound may be infinite. A double is the
/// interval of one point.
struct Interval {
  double low = 0;
  double high = 0;

  Interval() = default;
  Interval(double point) : low(point), high(point) {}
  Interval(double low, double high) : low(low), high(high) {}

  /// All reals: what is known of an input without a declared range.
  static Interval everything();

  bool isPoint() const { return low == high; }
  bool isFinite() const;
  bool contains(double value) const { return low <= value && value <= high; }
  /// max |x| over the interval.
  double magnitude() const;

  bool operator==(const Interval &) const = default;
};

/// The exact image of the operation over independent operands. In products 0 * infinity is 0: an
/// unbounded input times a constant zero is zero.
Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator-(Interval a);
Interval operator*(Interval a, Interval b);
/// Everything when b contains 0.
Interval operator/(Interval a, Interval b);

/// The image of x^exponent over one operand (so that even powers are not negative). For exponent <
/// 0 as a division.
Interval power(Interval a, int exponent);
Interval exp(Interval a);
Interval tanh(Interval a);

/// The smallest interval that contains both.
Interval hull(Interval a, Interval b);
/// The common part; `a` clamped to the nearer bound of `b` when they are disjoint.
Interval intersect(Interval a, Interval b);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_INTERVAL_H
