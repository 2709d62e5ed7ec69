//===- EvalMod.h - the remainder modulo 1, by a cosine and double angles ----------------------===//
//
// EvalMod takes I + m, I an integer of at most `range`, |m| small, to about m. It evaluates
//
//     g_0 = a cos(2 pi (x - 1/4) / 2^r),   g_{i+1} = 2 g_i^2 - a^(2^(i+1)),   g_r = sin(2 pi x) /
//     (2 pi),
//
// a = (1 / 2 pi)^(1 / 2^r): the cosine as a Chebyshev series in t = (x - 1/4) / halfWidth, the rest
// as r squares. An arcsine may follow, which removes what the sine adds to m from the third power
// on; then a is 1. Source: docs/mathematics.md section 8 (Bossuat et al., section 5.3, corrected).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_EVALMOD_H
#define SLUICE_PASSES_ALGORITHMS_EVALMOD_H

#include "passes/algorithms/Chebyshev.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sluice::algorithms {

/// Where the series of the cosine is right.
enum class SineNodes : uint8_t {
  chebyshev, ///< on the whole interval: an even series
  hanKi,     ///< near the integers only: smaller degrees for small ranges (HanKiNodes.h)
};

struct EvalMod {
  double range = 1;          ///< |I| <= range
  unsigned doubleAngles = 0; ///< r
  SineNodes nodes = SineNodes::chebyshev;
  double halfWidth = 1.5; ///< of the interval of x - 1/4
  Polynomial cosine;      ///< Chebyshev on [-1, 1]
  /// What step i subtracts from 2 g_i^2, i < r.
  std::vector<double> subtrahends;
  /// Monomial in the sine, odd; of degree 0 where there is none.
  Polynomial arcsine{Basis::monomial, {0}, {-1, 1}};

  bool hasArcsine() const { return arcsine.degree() > 0; }
  /// Levels: of the series, the double angles and the arcsine.
  unsigned depth() const;
  /// Its value at x = I + m, in the clear, with more precision than the coefficients have.
  long double operator()(long double x) const;
};

/// Levels of an arcsine of this degree; none of degree 1.
unsigned arcsineDepth(unsigned degree);

/// The least degree of the series: with nodes at the integers, one for each of them.
unsigned leastDegree(double range, SineNodes nodes);

/// The plan with the series of this degree, at least leastDegree, for |I| <= range, |m| <=
/// messageBound < 1/4; the arcsine of degree arcsineDegree, 1 (none), 3, 5, 7 ...
EvalMod makeEvalMod(double range, double messageBound, unsigned degree, unsigned doubleAngles,
                    unsigned arcsineDegree = 1, SineNodes nodes = SineNodes::chebyshev);

/// The largest |value - sin(2 pi m) / (2 pi)|, or |value - m| with an arcsine, over a grid of the
/// plan's inputs.
double measureApproximationError(const EvalMod &plan, double messageBound);

/// The largest |value - m| over the same grid.
double measureError(const EvalMod &plan, double messageBound);

/// What a search of plans may choose from.
struct EvalModRequest {
  double range = 16;
  double messageBound = 0x1p-8; ///< largest |m|
  double tolerance = 0x1p-30;   ///< of measureApproximationError
  unsigned maxDegree = 255;
  unsigned maxDoubleAngles = 8;
  unsigned arcsineDegree = 1;
  std::vector<SineNodes> nodes = {SineNodes::chebyshev}; ///< any of these
  unsigned minDoubleAngles = 0;
};

/// The plan of least depth that meets the tolerance; of the fewest products of ciphertexts, then of
/// the fewest terms, among those. Nothing when none does.
std::optional<EvalMod> planEvalMod(const EvalModRequest &request);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_EVALMOD_H
