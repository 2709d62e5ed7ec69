//===- big_integer.h - a natural number of any size, for oracles ------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_KERNELS_BIG_INTEGER_H
#define SLUICE_TEST_RUNTIME_KERNELS_BIG_INTEGER_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sluice::test {

/// Just enough arithmetic for the Chinese remainder theorem; schoolbook, little-endian words.
class BigInteger {
public:
  BigInteger(uint64_t value = 0) : words{value} { trim(); }

  /// this * factor + summand.
  BigInteger timesPlus(uint64_t factor, uint64_t summand) const {
    BigInteger result = *this;
    Word128 carry = summand;
    for (uint64_t &word : result.words) {
      carry += static_cast<Word128>(word) * factor;
      word = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    result.words.push_back(static_cast<uint64_t>(carry));
    result.trim();
    return result;
  }

  BigInteger plus(const BigInteger &other) const {
    BigInteger result = *this;
    result.words.resize(std::max(words.size(), other.words.size()) + 1, 0);
    uint64_t carry = 0;
    for (size_t i = 0; i < result.words.size(); ++i) {
      Word128 sum = static_cast<Word128>(result.words[i]) + other.word(i) + carry;
      result.words[i] = static_cast<uint64_t>(sum);
      carry = static_cast<uint64_t>(sum >> 64);
    }
    result.trim();
    return result;
  }

  uint64_t modulo(uint64_t divisor) const {
    Word128 rest = 0;
    for (size_t i = words.size(); i-- > 0;)
      rest = ((rest << 64) | words[i]) % divisor;
    return static_cast<uint64_t>(rest);
  }

  /// floor(this / divisor).
  BigInteger dividedBy(uint64_t divisor) const {
    BigInteger result = *this;
    Word128 rest = 0;
    for (size_t i = words.size(); i-- > 0;) {
      rest = (rest << 64) | words[i];
      result.words[i] = static_cast<uint64_t>(rest / divisor);
      rest %= divisor;
    }
    result.trim();
    return result;
  }

  bool operator<(const BigInteger &other) const {
    if (words.size() != other.words.size())
      return words.size() < other.words.size();
    for (size_t i = words.size(); i-- > 0;)
      if (words[i] != other.words[i])
        return words[i] < other.words[i];
    return false;
  }

private:
  __extension__ using Word128 = unsigned __int128;

  uint64_t word(size_t i) const { return i < words.size() ? words[i] : 0; }
  void trim() {
    while (!words.empty() && words.back() == 0)
      words.pop_back();
  }

  std::vector<uint64_t> words;
};

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_KERNELS_BIG_INTEGER_H
