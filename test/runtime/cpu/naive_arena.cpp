//===- naive_arena.cpp - functions.def by definition ----------------------------------------===//
#include "test/runtime/cpu/naive_arena.h"

namespace sluice::test {

uint64_t powModulo(uint64_t base, uint64_t exponent, uint64_t q) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = mulModulo(base, base, q))
    if (exponent & 1)
      result = mulModulo(result, base, q);
  return result;
}

uint64_t NaiveArena::power(size_t position) const {
  uint64_t reversed = 0;
  for (unsigned bit = 0; bit < logN; ++bit)
    reversed |= (position >> bit & 1) << (logN - 1 - bit);
  return 2 * reversed + 1;
}

uint64_t NaiveArena::psi(uint16_t limb) const {
  uint64_t a = 2;
  while (powModulo(a, (q(limb) - 1) / 2, q(limb)) != q(limb) - 1)
    ++a;
  return powModulo(a, (q(limb) - 1) >> (logN + 1), q(limb));
}

uint64_t NaiveArena::evaluate(uint16_t limb, uint32_t slot, uint64_t exponent) const {
  uint64_t prime = q(limb), x = powModulo(psi(limb), exponent, prime), value = 0;
  for (size_t k = degree(); k-- > 0;)
    value = (mulModulo(value, x, prime) + slots[slot][k]) % prime;
  return value;
}

void NaiveArena::ntt(const Limbs &limbs, const Slots &dst, const Slots &src) {
  map(limbs, dst,
      [&](size_t i, size_t k, uint64_t) { return evaluate(limbs[i], src[i], power(k)); });
}

void NaiveArena::intt(const Limbs &limbs, const Slots &dst, const Slots &src) {
  // Coefficient k = N^-1 * sum over positions of value * point^-k, since the points are all roots
  // of X^N + 1.
  std::vector<std::vector<uint64_t>> powers(limbs.size()); // psi^e, e < 2N
  for (size_t i = 0; i < limbs.size(); ++i)
    for (uint64_t e = 0, x = 1, p = psi(limbs[i]); e < 2 * degree();
         ++e, x = mulModulo(x, p, q(limbs[i])))
      powers[i].push_back(x);
  map(limbs, dst, [&](size_t i, size_t k, uint64_t prime) {
    uint64_t sum = 0;
    for (size_t position = 0; position < degree(); ++position) {
      uint64_t exponent = (2 * degree() - power(position) * k % (2 * degree())) % (2 * degree());
      sum = (sum + mulModulo(slots[src[i]][position], powers[i][exponent], prime)) % prime;
    }
    return mulModulo(sum, powModulo(degree(), prime - 2, prime), prime);
  });
}

void NaiveArena::automorphism(const Limbs &limbs, const Slots &dst, const Slots &src,
                              uint32_t element) {
  // sigma(a) at psi^e is a at psi^(e * element): find the position that holds that power.
  std::vector<size_t> positionOf(2 * degree());
  for (size_t k = 0; k < degree(); ++k)
    positionOf[power(k)] = k;
  map(limbs, dst, [&](size_t i, size_t k, uint64_t) {
    return slots[src[i]][positionOf[power(k) * element % (2 * degree())]];
  });
}

void NaiveArena::baseConvert(const Limbs &dstLimbs, const Slots &dst, const Limbs &srcLimbs,
                             const Slots &src) {
  Wide product = 1;
  for (uint16_t limb : srcLimbs)
    product *= q(limb);
  map(dstLimbs, dst, [&](size_t i, size_t k, uint64_t t) {
    // Garner: x = r_0 mod q_0, then one more prime at a time.
    Wide x = 0, modulus = 1;
    for (size_t s = 0; s < srcLimbs.size(); ++s) {
      uint64_t prime = q(srcLimbs[s]), residue = slots[src[s]][k];
      uint64_t difference = (residue + prime - static_cast<uint64_t>(x % prime)) % prime;
      uint64_t inverse = powModulo(static_cast<uint64_t>(modulus % prime), prime - 2, prime);
      x += modulus * mulModulo(difference, inverse, prime);
      modulus *= prime;
    }
    bool isNegative = x > product / 2;
    uint64_t remainder = static_cast<uint64_t>((isNegative ? product - x : x) % t);
    return isNegative && remainder != 0 ? t - remainder : remainder;
  });
}

} // namespace sluice::test
