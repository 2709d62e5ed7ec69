//===- secret_key.h - the secret key in memory -----------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SECRET_KEY_H
#define SLUICE_RUNTIME_CLIENT_SECRET_KEY_H

#include "runtime/base/wipe.h"
#include "runtime/client/parameters.h"
#include "runtime/client/secret_sampling.h"
#include "runtime/ring/poly.h"
#include "runtime/wire/sharing.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace sluice::client {

/// The secret s: N ternary coefficients, and its name, which is public. Wiped when destroyed.
struct SecretKey {
  std::string keyId; // 32 hexadecimal digits
  SmallPoly coefficients;
  std::optional<wire::Sharing> sharing{}; // none: no decryption may be shared
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

/// Calls body(i, scratch) once for every i < n on the parameters' threads; `scratch` are `rows`
/// rows of one thread, which hold what the call before left there.
template <typename Body>
void forEachWithScratch(const Parameters &parameters, size_t n, size_t rows, Body body) {
  const size_t workers = std::min<size_t>(parameters.threads().threadCount(), n);
  parallelFor(parameters.threads(), workers, [&](size_t worker) {
    SecretRows scratch(rows, parameters.degree());
    for (size_t i = worker; i < n; i += workers)
      body(i, scratch);
  });
}

/// A small polynomial modulo one limb, in `out`: coefficient form, or evaluation form.
void reduceSmallInto(const Parameters &parameters, std::span<const int8_t> coefficients,
                     uint16_t limb, uint64_t *out);
void evaluateSmallInto(const Parameters &parameters, std::span<const int8_t> coefficients,
                       uint16_t limb, uint64_t *out);

/// A small polynomial in evaluation form modulo each of `limbs`.
SecretRows evaluateSmall(const Parameters &parameters, std::span<const int8_t> coefficients,
                         std::span<const uint16_t> limbs);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SECRET_KEY_H
