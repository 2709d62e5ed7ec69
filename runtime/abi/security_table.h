//===- security_table.h - the largest moduli that keep 128 bits of security ------------------===//
//
// The only numbers that decide what is secure. A row is a ring degree and a distribution of the
// secret; its limit is the largest log2 of the modulus of any key or ciphertext under that secret,
// error standard deviation 3.2. There is no interpolation: no row, no parameters. docs/security.md
// says what the promise is.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_SECURITY_TABLE_H
#define SLUICE_RUNTIME_ABI_SECURITY_TABLE_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

enum class SecretDistribution : uint8_t {
  uniformTernary, // coefficients -1, 0, 1 with probability 1/3 each: the default
  sparse192,      // exactly 192 non-zero coefficients; by name only
  ephemeral32,    // exactly 32; only ever encrypts the key that raises the modulus
};

/// The name of a distribution in manifests.
constexpr std::string_view secretDistributionName(SecretDistribution distribution) {
  switch (distribution) {
  case SecretDistribution::uniformTernary:
    return "uniform-ternary";
  case SecretDistribution::sparse192:
    return "sparse-192";
  case SecretDistribution::ephemeral32:
    return "ephemeral-32";
  }
  return "";
}

/// The number of non-zero coefficients of a distribution that fixes it, 0 for the others.
constexpr size_t secretWeight(SecretDistribution distribution) {
  switch (distribution) {
  case SecretDistribution::uniformTernary:
    return 0;
  case SecretDistribution::sparse192:
    return 192;
  case SecretDistribution::ephemeral32:
    return 32;
  }
  return 0;
}

struct SecurityRow {
  SecretDistribution distribution;
  uint32_t logN;
  uint32_t limitBits;      // log2 of the modulus, at most
  std::string_view name;   // as printed, and as it stands in the manifest's security.row
  std::string_view source; // where the limit comes from
};

/// 128 bits, classical. The rows below `sparse192` are in use in the field but in no standard.
inline constexpr SecurityRow securityTable[] = {
    {SecretDistribution::uniformTernary, 12, 106, "uniform ternary, N = 2^12",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::uniformTernary, 13, 214, "uniform ternary, N = 2^13",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::uniformTernary, 14, 430, "uniform ternary, N = 2^14",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::uniformTernary, 15, 868, "uniform ternary, N = 2^15",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::uniformTernary, 16, 1747, "uniform ternary, N = 2^16",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::uniformTernary, 17, 3523, "uniform ternary, N = 2^17",
     "Security Guidelines for Implementing Homomorphic Encryption, ePrint 2024/463, table 5.2"},
    {SecretDistribution::sparse192, 15, 767, "sparse h = 192 (not standardised), N = 2^15",
     "in use: Bossuat et al., ePrint 2020/1203, parameters for h = 192"},
    {SecretDistribution::sparse192, 16, 1553, "sparse h = 192 (not standardised), N = 2^16",
     "in use: Bossuat et al., ePrint 2020/1203, parameters for h = 192"},
    {SecretDistribution::sparse192, 17, 3104, "sparse h = 192 (not standardised), N = 2^17",
     "in use: Alexandru et al., ePrint 2024/1623, extrapolated there"},
    {SecretDistribution::ephemeral32, 16, 117, "ephemeral h = 32 (not standardised), N = 2^16",
     "in use: the HEaaN library (the construction: ePrint 2022/024)"},
};

/// The row for a ring of degree 2^logN, or nothing: then nothing is secure.
constexpr std::optional<SecurityRow> findSecurityRow(SecretDistribution distribution,
                                                     uint32_t logN) {
  for (const SecurityRow &row : securityTable)
    if (row.distribution == distribution && row.logN == logN)
      return row;
  return std::nullopt;
}

/// Whether a modulus of `logModulus` bits (log2) is within the row. Sums of logarithms of primes
/// may be off by 2^-20, which never decides: limits are integers, and the estimate behind them is
/// not that sharp.
inline bool isWithin(const SecurityRow &row, double logModulus) {
  return std::isfinite(logModulus) && logModulus <= row.limitBits + 0x1p-20;
}

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_SECURITY_TABLE_H
