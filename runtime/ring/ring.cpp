//===- ring.cpp - a power-of-two cyclotomic ring with its table of limbs ----------------------===//
#include "runtime/ring/ring.h"

#include "runtime/ring/embedding.h"
#include "runtime/ring/primes.h"

#include <algorithm>

namespace sluice::ring {

static Status checkPrimes(unsigned logN, std::span<const uint64_t> primes) {
  if (logN < kernels::minLogN || logN > kernels::maxLogN)
    return Status::error(StatusCode::outOfRange, "log N is %u; it must be %u to %u", logN,
                         kernels::minLogN, kernels::maxLogN);
  if (primes.empty() || primes.size() > UINT16_MAX)
    return Status::error(StatusCode::invalidArgument, "a ring has 1 to %u limbs, not %zu",
                         unsigned{UINT16_MAX}, primes.size());
  for (size_t limb = 0; limb < primes.size(); ++limb) {
    if (!isNttPrime(logN, primes[limb]))
      return Status::error(StatusCode::invalidArgument,
                           "limb %zu, %llu, is not a prime of %u to %u bits that is 1 mod 2^%u",
                           limb, static_cast<unsigned long long>(primes[limb]),
                           kernels::minPrimeBits, kernels::maxPrimeBits, logN + 1);
    if (std::find(primes.begin(), primes.begin() + limb, primes[limb]) != primes.begin() + limb)
      return Status::error(StatusCode::invalidArgument, "limb %zu, %llu, stands twice in the table",
                           limb, static_cast<unsigned long long>(primes[limb]));
  }
  return Status();
}

Expected<Ring> Ring::create(unsigned logN, std::span<const uint64_t> primes) {
  SLUICE_RETURN_IF_ERROR(checkPrimes(logN, primes));
  Ring ring;
  ring.degreeLog2 = logN;
  unsigned widest = 0;
  for (uint64_t prime : primes) {
    SLUICE_ASSIGN_OR_RETURN(Modulus modulus, Modulus::create(prime));
    widest = std::max(widest, modulus.bits());
    ring.limbs.emplace_back(modulus, logN);
    ring.moduli.push_back(modulus);
  }
  SLUICE_ASSIGN_OR_RETURN(ring.kernelTable, kernels::selectKernels(widest));
  ring.embedding = makeEmbeddingRoots(logN - 1);
  ring.wideEmbedding = makeWideEmbeddingRoots(logN - 1);
  return ring;
}

} // namespace sluice::ring
