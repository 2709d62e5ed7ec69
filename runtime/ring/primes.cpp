//===- primes.cpp - primes of limbs -----------------------------------------------------------===//
#include "runtime/ring/primes.h"

#include "runtime/kernels/kernels.h"

#include <algorithm>
#include <bit>

namespace sluice::ring {

__extension__ using Word128 = unsigned __int128;

static uint64_t mulModulo(uint64_t a, uint64_t b, uint64_t m) {
  return static_cast<uint64_t>(static_cast<Word128>(a) * b % m);
}

static uint64_t powModulo(uint64_t base, uint64_t exponent, uint64_t m) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = mulModulo(result, base, m);
    base = mulModulo(base, base, m);
  }
  return result;
}

/// Whether `base` proves that the odd number `value` is composite.
static bool isWitness(uint64_t base, uint64_t value) {
  unsigned twos = static_cast<unsigned>(std::countr_zero(value - 1));
  uint64_t power = powModulo(base, (value - 1) >> twos, value);
  if (power == 1 || power == value - 1)
    return false;
  for (unsigned squaring = 1; squaring < twos; ++squaring) {
    power = mulModulo(power, power, value);
    if (power == value - 1)
      return false;
  }
  return true;
}

bool isPrime(uint64_t value) {
  static constexpr uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (value < 2)
    return false;
  for (uint64_t base : bases)
    if (value % base == 0)
      return value == base;
  return std::none_of(std::begin(bases), std::end(bases),
                      [&](uint64_t base) { return isWitness(base, value); });
}

bool isNttPrime(unsigned logN, uint64_t q) {
  unsigned bits = static_cast<unsigned>(std::bit_width(q));
  return bits >= kernels::minPrimeBits && bits <= kernels::maxPrimeBits &&
         (q - 1) % (uint64_t{2} << logN) == 0 && isPrime(q);
}

/// Walks the numbers 1 mod 2N outwards from 2^bits, upwards too if `takeAbove`, and keeps the first
/// `count` limbs.
static Expected<std::vector<uint64_t>> collectPrimes(unsigned logN, unsigned bits, size_t count,
                                                     std::span<const uint64_t> exclude,
                                                     bool takeAbove) {
  if (logN < kernels::minLogN || logN > kernels::maxLogN || bits < kernels::minPrimeBits ||
      bits > kernels::maxPrimeBits)
    return Status::error(StatusCode::outOfRange,
                         "no limbs of %u bits for log N = %u: %u to %u bits, log N %u to %u", bits,
                         logN, kernels::minPrimeBits, kernels::maxPrimeBits, kernels::minLogN,
                         kernels::maxLogN);
  std::vector<uint64_t> primes;
  auto consider = [&](uint64_t candidate) {
    if (primes.size() < count && isNttPrime(logN, candidate) &&
        std::find(exclude.begin(), exclude.end(), candidate) == exclude.end())
      primes.push_back(candidate);
  };
  const uint64_t step = uint64_t{2} << logN, target = uint64_t{1} << bits;
  // 2^bits is 0 mod 2N, so 2^bits + 1 is the nearest candidate, then 2^bits + 1 - step, 2^bits + 1
  // + step, ...
  for (uint64_t distance = 0; primes.size() < count && distance < target; distance += step) {
    if (takeAbove)
      consider(target + distance + 1);
    if (distance + step < target / 2)
      consider(target + 1 - (distance + step));
  }
  if (primes.size() < count)
    return Status::error(StatusCode::outOfRange,
                         "only %zu primes near 2^%u are 1 mod 2^%u; %zu were asked for",
                         primes.size(), bits, logN + 1, count);
  return primes;
}

Expected<std::vector<uint64_t>> nttPrimesNear(unsigned logN, unsigned bits, size_t count,
                                              std::span<const uint64_t> exclude) {
  return collectPrimes(logN, bits, count, exclude, bits < kernels::maxPrimeBits);
}

Expected<std::vector<uint64_t>> nttPrimesBelow(unsigned logN, unsigned bits, size_t count,
                                               std::span<const uint64_t> exclude) {
  return collectPrimes(logN, bits, count, exclude, false);
}

} // namespace sluice::ring
