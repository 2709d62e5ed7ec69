//===- ScaleEquations.h - exact linear systems over unknown scales ----------------------------===//
//
// Every addition of a circuit demands that two scales are equal, and scales multiply along
// products: taken as logarithms, a linear system over the ring Z[1/2] of dyadic exponents, one
// column for each symbol (2 and the limbs). The unknowns are the scales that may be chosen: of
// inputs, of plaintexts, of polynomials. Gaussian elimination keeps everything a monomial; what
// remains free is chosen last, near targets, as powers of two. Source: docs/mathematics.md
// sections 0 and 16.2.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_SCALEEQUATIONS_H
#define SLUICE_PASSES_ALGORITHMS_SCALEEQUATIONS_H

#include "dialects/CKKS/Scale.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// scale^exponent, exact.
ckks::Scale power(const ckks::Scale &scale, ckks::Dyadic exponent);

/// A product of a known scale and unknown scales with dyadic exponents.
struct ScaleExpression {
  ckks::Scale constant;
  std::map<unsigned, ckks::Dyadic> exponents; ///< by number of the unknown; none is zero

  ScaleExpression() = default;
  ScaleExpression(const ckks::Scale &constant) : constant(constant) {}

  ScaleExpression &operator*=(const ScaleExpression &other);
  friend ScaleExpression operator*(ScaleExpression a, const ScaleExpression &b) { return a *= b; }
  ScaleExpression pow(ckks::Dyadic exponent) const;
  bool operator==(const ScaleExpression &) const = default;
};

/// A system of equations between scale expressions, solved as it grows.
class ScaleEquations {
public:
  /// Labels of equations, chosen by the caller.
  using Labels = std::set<unsigned>;

  /// A new unknown. `hint` is log2 of the value that it should have if nothing else matters.
  ScaleExpression addUnknown(double hint);

  /// Demands a = b. Nothing when that can hold together with all equations before (it does from now
  /// on); otherwise the equations stay as they were and the labels of equations that contradict
  /// each other come back, `label` among them: one of these has to go. The set need not be the
  /// smallest.
  std::optional<Labels> require(const ScaleExpression &a, const ScaleExpression &b, unsigned label);

  /// Asks that log2 of the expression be near `log2`, in the sense of least squares; a deviation
  /// counts `weight` times.
  void prefer(const ScaleExpression &expression, double log2, double weight = 1);

  /// Chooses what is still free: least squares over all preferences, each choice then rounded to a
  /// power of two with an exponent that is a multiple of 2^-k, where 2^k is the power of the
  /// unknown in a preference, halved. `primes` is the limb table.
  void chooseFree(std::span<const uint64_t> primes);

  /// The expression over the unknowns that are still free; `labels`, if given, gets the labels of
  /// the equations that were used.
  ScaleExpression resolve(const ScaleExpression &expression, Labels *labels = nullptr);
  /// The scale, once chooseFree has run.
  ckks::Scale value(const ScaleExpression &expression);

private:
  /// What an unknown was replaced by, and the equations that forced it.
  struct Unknown {
    double hint;
    std::optional<ScaleExpression> replacement;
    Labels labels;
  };
  struct Preference {
    ScaleExpression expression;
    double log2, weight;
  };
  class LeastSquares;

  /// Makes `equation` = 1 hold, for `labels`; false when it cannot.
  bool solve(ScaleExpression equation, const Labels &labels);
  void replace(unsigned unknown, ScaleExpression by, const Labels &labels);
  /// One step of Euclid's algorithm on the exponents of `equation` (= 1), none of which is a unit:
  /// a change of unknowns makes the smallest odd part smaller. False when it divides all others, or
  /// there are none.
  bool reduceExponents(ScaleExpression &equation);

  std::vector<Unknown> unknowns;
  std::vector<Preference> preferences;
};

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_SCALEEQUATIONS_H
