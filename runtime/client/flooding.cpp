//===- flooding.cpp - wide Gaussian noise over coefficients ----------------------------------===//
#include "runtime/client/flooding.h"

#include "runtime/abi/flooding.h"

#include <cmath>

namespace sluice::client {

/// Variances are counted in those of one error.
std::vector<unsigned> planFlooding(double deviation) {
  constexpr double leadingBits = 0x1p16;
  double variance = std::pow(deviation / errorStandardDeviation, 2);
  std::vector<unsigned> plan;
  // A digit 1 at each low place, until few are left for the digits that decide.
  while (variance > leadingBits) {
    plan.push_back(1);
    variance = (variance - 1) / 4;
  }
  // A number with digits 1 to 4 and no 0; what doubles round up does not count.
  variance = std::max(variance * (1 - 0x1p-40), 1.0);
  for (auto rest = static_cast<uint64_t>(std::ceil(variance)); rest > 0;) {
    auto digit = static_cast<unsigned>((rest - 1) % 4 + 1);
    plan.push_back(digit);
    rest = (rest - digit) / 4;
  }
  return plan;
}

double deviationOf(std::span<const unsigned> plan) {
  double variance = 0;
  for (size_t place = plan.size(); place-- > 0;)
    variance = 4 * variance + plan[place];
  return errorStandardDeviation * std::sqrt(variance);
}

FloodingNoise FloodingNoise::sample(const SecretRoot &root, uint64_t stream, double deviation,
                                    size_t n) {
  assert(deviation <= std::exp2(maxFloodingLog2) && "noise this wide does not fit its words");
  using Wide = __int128;
  WipedVector<Wide> sums(n);
  const std::vector<unsigned> plan = planFlooding(deviation);
  for (size_t place = plan.size(); place-- > 0;) {
    for (Wide &sum : sums)
      sum *= 2;
    for (unsigned copy = 0; copy < plan[place]; ++copy) {
      SmallPoly errors = sampleError(root, stream++, n);
      for (size_t k = 0; k < n; ++k)
        sums[k] += errors[k];
    }
  }
  FloodingNoise noise(n);
  for (size_t k = 0; k < n; ++k) {
    noise.highParts[k] = static_cast<int64_t>(sums[k] >> 60);
    noise.lowParts[k] = static_cast<int64_t>(sums[k] & ((Wide(1) << 60) - 1));
  }
  return noise;
}

void FloodingNoise::addTo(const Parameters &parameters, uint16_t limb, uint64_t *row) const {
  const kernels::KernelTable &kernels = parameters.ring().kernels();
  const ring::Modulus &modulus = parameters.ring().modulus(limb);
  const size_t n = lowParts.size();
  SecretRows scratch(1, n);
  kernels.reduceSigned(modulus.constants(), n, scratch.row(0), lowParts.data());
  kernels.add(modulus.constants(), n, row, row, scratch.row(0));
  kernels.reduceSigned(modulus.constants(), n, scratch.row(0), highParts.data());
  kernels.mulScalar(modulus.constants(), n, scratch.row(0), scratch.row(0),
                    modulus.reduce(uint64_t(1) << 60));
  kernels.add(modulus.constants(), n, row, row, scratch.row(0));
}

} // namespace sluice::client
