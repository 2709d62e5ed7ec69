//===- naive_arena.h - functions.def by definition ------------------------------------------===//
//
// The oracle of the CPU backend's tests: an arena of plain vectors, and each function straight from
// its sentence in functions.def and docs/formats.md, in 128-bit integers. Slow, and shares nothing
// with runtime/ but the list of primes.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_CPU_NAIVE_ARENA_H
#define SLUICE_TEST_RUNTIME_CPU_NAIVE_ARENA_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::test {

using Wide = unsigned __int128;
using Words = std::vector<uint64_t>;
using Slots = std::vector<uint32_t>;
using Limbs = std::vector<uint16_t>;

inline uint64_t mulModulo(uint64_t a, uint64_t b, uint64_t q) {
  return static_cast<uint64_t>(Wide{a} * b % q);
}

uint64_t powModulo(uint64_t base, uint64_t exponent, uint64_t q);

/// A constant or one half of a key: rows of N words, row i modulo limb limbs[i].
struct NaiveRows {
  Limbs limbs;
  std::vector<Words> rows;
};

struct NaiveArena {
  unsigned logN;
  std::vector<uint64_t> primes;
  std::vector<Words> slots;

  size_t degree() const { return size_t{1} << logN; }
  uint64_t q(uint16_t limb) const { return primes[limb]; }

  /// dst[i][k] = f(i, k, q of limb i) for every position k; operands are read before anything is
  /// written.
  template <typename F> void map(const Limbs &limbs, const Slots &dst, const F &f) {
    std::vector<Words> results(limbs.size(), Words(degree()));
    for (size_t i = 0; i < limbs.size(); ++i)
      for (size_t k = 0; k < degree(); ++k)
        results[i][k] = f(i, k, q(limbs[i]));
    for (size_t i = 0; i < limbs.size(); ++i)
      slots[dst[i]] = results[i];
  }

  /// The power 2 * bitreverse(position) + 1 of psi at which evaluation form holds a position.
  uint64_t power(size_t position) const;
  /// The psi of docs/formats.md.
  uint64_t psi(uint16_t limb) const;
  /// The polynomial in slot `slot` at psi^exponent.
  uint64_t evaluate(uint16_t limb, uint32_t slot, uint64_t exponent) const;

  void ntt(const Limbs &limbs, const Slots &dst, const Slots &src);
  void intt(const Limbs &limbs, const Slots &dst, const Slots &src);
  void automorphism(const Limbs &limbs, const Slots &dst, const Slots &src, uint32_t element);
  /// Source primes with a product below 2^127.
  void baseConvert(const Limbs &dstLimbs, const Slots &dst, const Limbs &srcLimbs,
                   const Slots &src);
};

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CPU_NAIVE_ARENA_H
