//===- ChainNoise.cpp - the noise model's parameters of a chain -------------------------------===//

#include "passes/ChainNoise.h"

#include "passes/algorithms/LevelSearch.h"

#include <cmath>

using namespace mlir;

namespace sluice {

SecretDistribution distributionOf(ckks::ParamsAttr params, ckks::Secret secret) {
  if (secret == ckks::Secret::Ephemeral)
    return SecretDistribution::ephemeral32;
  return params.getSecret() == ckks::ParamsAttr::sparseSecret ? SecretDistribution::sparse192
                                                              : SecretDistribution::uniformTernary;
}

double expectedWeight(ckks::ParamsAttr params, ckks::Secret secret) {
  return algorithms::expectedWeight(distributionOf(params, secret), params.getLogN());
}

algorithms::NoiseParameters noiseAtLevel(ckks::ParamsAttr params, int64_t level) {
  algorithms::NoiseParameters result;
  result.logN = params.getLogN();
  result.specialLog2 = algorithms::sumLog2(params.getPrimes(params.getSpecial()));
  for (DenseI64ArrayAttr digit : params.getDigits()) {
    double alive = 0;
    for (int64_t limb : digit.asArrayRef())
      if (llvm::is_contained(params.getLevel(level), limb))
        alive += std::log2(double(params.getLimbs()[limb]));
    if (alive > 0)
      result.digitsLog2.push_back(alive);
  }
  return result;
}

} // namespace sluice
