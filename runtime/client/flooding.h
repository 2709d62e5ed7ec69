//===- flooding.h - wide Gaussian noise over coefficients ------------------------------------===//
//
// A sum of errors of secret_sampling times powers of two is a discrete Gaussian, as long as each
// sum covers what the next power of two leaves out (Micciancio, Walter, CRYPTO 2017, ePrint
// 2017/259): with a step of 2 and deviation 3.2 probabilities are within a part of 2^-56. So it has
// the samplers' constant number of operations and no rounding at any width. docs/security.md,
// "Distributions".
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_FLOODING_H
#define SLUICE_RUNTIME_CLIENT_FLOODING_H

#include "runtime/client/secret_key.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::client {

/// How many errors, 1 to 4, are added at each power of two, the lowest first: their variances are a
/// number of base 4, the least of 16 leading bits that gives `deviation` or more; at least 3.2.
std::vector<unsigned> planFlooding(double deviation);

/// The deviation of such a sum.
double deviationOf(std::span<const unsigned> plan);

/// N integers of up to 120 bits, wiped when destroyed.
class FloodingNoise {
public:
  /// Streams `stream` and on of the root. `deviation`: of each, at most 2^maxFloodingLog2.
  static FloodingNoise sample(const SecretRoot &root, uint64_t stream, double deviation, size_t n);

  /// Adds the noise to N residues modulo a limb, coefficient form.
  void addTo(const Parameters &parameters, uint16_t limb, uint64_t *row) const;

  /// Coefficient k is high[k] * 2^60 + low[k], 0 <= low[k] < 2^60.
  std::span<const int64_t> high() const { return highParts; }
  std::span<const int64_t> low() const { return lowParts; }

private:
  explicit FloodingNoise(size_t n) : highParts(n), lowParts(n) {}
  WipedVector<int64_t> highParts, lowParts;
};

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_FLOODING_H
