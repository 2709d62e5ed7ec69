//===- secret_key.h - the secret key in memory -----------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SECRET_KEY_H
#define SLUICE_RUNTIME_CLIENT_SECRET_KEY_H

#include "runtime/base/wipe.h"
#include "runtime/client/parameters.h"
#include "runtime/client/secret_sampling.h"
#include "runtime/ring/poly.h"

#include <span>
#include <string>

namespace sluice::client {

/// The secret s: N ternary coefficients, and its name, which is public. Wiped when destroyed.
struct SecretKey {
  std::string keyId; // 32 hexadecimal digits
  SmallPoly coefficients;
};

/// Rows of N secret residues in evaluation form, wiped when destroyed.
class SecretRows {
public:
  SecretRows(size_t rows, size_t degree) : words(rows * degree), degree(degree) {}
  ring::PolyView view() { return {words.data(), words.size() / degree, degree}; }
  uint64_t *row(size_t i) { return words.data() + i * degree; }
  const uint64_t *row(size_t i) const { return words.data() + i * degree; }

private:
  WipedVector<uint64_t> words;
  size_t degree;
};

/// A small polynomial in evaluation form modulo each of `limbs`.
SecretRows evaluateSmall(const Parameters &parameters, std::span<const int8_t> coefficients,
                         std::span<const uint16_t> limbs);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SECRET_KEY_H
