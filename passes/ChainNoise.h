//===- ChainNoise.h - the noise model's parameters of a chain ---------------------------------===//
#ifndef SLUICE_PASSES_CHAINNOISE_H
#define SLUICE_PASSES_CHAINNOISE_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/NoiseModel.h"
#include "runtime/abi/security_table.h"

namespace sluice {

/// The distribution that `params` names, of one of its secrets.
SecretDistribution distributionOf(ckks::ParamsAttr params,
                                  ckks::Secret secret = ckks::Secret::Main);

/// Expected number of non-zero coefficients of that secret.
double expectedWeight(ckks::ParamsAttr params, ckks::Secret secret = ckks::Secret::Main);

/// log2 of P and of the parts of the digits that are alive at `level`. The weight is left 0.
algorithms::NoiseParameters noiseAtLevel(ckks::ParamsAttr params, int64_t level);

} // namespace sluice

#endif // SLUICE_PASSES_CHAINNOISE_H
