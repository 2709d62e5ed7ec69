//===- Residues.cpp - integers given by their residues ----------------------------------------===//

#include "passes/algorithms/Residues.h"

#include <algorithm>
#include <cassert>

namespace sluice::algorithms {

uint64_t mulMod(uint64_t a, uint64_t b, uint64_t q) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % q);
}

uint64_t invertMod(uint64_t a, uint64_t q) {
  uint64_t power = a % q, result = 1 % q;
  for (uint64_t exponent = q - 2; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = mulMod(result, power, q);
    power = mulMod(power, power, q);
  }
  return result;
}

uint64_t productMod(std::span<const uint64_t> factors, uint64_t q) {
  uint64_t product = 1 % q;
  for (uint64_t factor : factors)
    product = mulMod(product, factor % q, q);
  return product;
}

uint64_t centredResidue(std::span<const uint64_t> residues, std::span<const uint64_t> moduli,
                        uint64_t target) {
  assert(residues.size() == moduli.size());
  // value = sum of digits[i] * moduli[0] * ... * moduli[i - 1], 0 <= digits[i] < moduli[i].
  std::vector<uint64_t> digits;
  for (size_t i = 0; i < moduli.size(); ++i) {
    uint64_t q = moduli[i], value = 0;
    for (size_t j = i; j-- > 0;)
      value = (mulMod(value, moduli[j] % q, q) + digits[j] % q) % q;
    uint64_t difference = (residues[i] % q + q - value) % q;
    digits.push_back(mulMod(difference, invertMod(productMod(moduli.first(i), q), q), q));
  }
  // (product - 1) / 2 has the digits (moduli[i] - 1) / 2: values beyond it stand for negative ones.
  bool isNegative = false;
  for (size_t i = moduli.size(); i-- > 0;)
    if (digits[i] != (moduli[i] - 1) / 2) {
      isNegative = digits[i] > (moduli[i] - 1) / 2;
      break;
    }
  uint64_t result = 0;
  for (size_t i = moduli.size(); i-- > 0;)
    result = (mulMod(result, moduli[i] % target, target) + digits[i] % target) % target;
  return isNegative ? (result + target - productMod(moduli, target)) % target : result;
}

} // namespace sluice::algorithms
