//===- manifest.h - what a client needs to know about a program ------------------------------===//
//
// Plain data, field for field the JSON of docs/formats.md. The compiler fills it in, runtime/wire
// reads (and checks) it and writes it. A Manifest that came from wire::readManifest has passed
// every check listed in runtime/wire/manifest.h.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_MANIFEST_H
#define SLUICE_RUNTIME_ABI_MANIFEST_H

#include "runtime/abi/security_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Version of the manifest's JSON that this source reads and writes.
inline constexpr uint32_t manifestVersion = 1;
/// Standard deviation of the error, in every key and fresh ciphertext.
inline constexpr double errorStandardDeviation = 3.2;

/// Bounds that every reader enforces before it allocates.
namespace limits {
inline constexpr uint64_t manifestBytes = uint64_t(4) << 20;
inline constexpr uint32_t minLogN = 3;        // below securityTable only as insecure
inline constexpr uint32_t minSecureLogN = 12; // first row of securityTable
inline constexpr uint32_t maxLogN = 17;
inline constexpr uint32_t minLimbBits = 20;
inline constexpr uint32_t maxLimbBits = 50;
inline constexpr uint32_t limbs = 256;
inline constexpr uint32_t groupLimbs = 128; // of P, of a digit: what a base conversion takes
inline constexpr uint32_t levels = 256;
inline constexpr uint32_t tensors = 1024; // inputs, outputs: each
inline constexpr uint32_t rank = 8;
inline constexpr uint32_t evaluationKeys = 4096;
inline constexpr uint32_t nameBytes = 256;
} // namespace limits

/// An exact scale: a monomial in 2 and the limbs q0, q1, … with dyadic exponents, such as "2^90 *
/// q3^-1", and its value as the unevaluated sum high + low of two doubles, relative error below
/// 2^-100.
struct ManifestScale {
  std::string exact;
  double high = 1.0;
  double low = 0.0;
};

/// An input or output: a tensor of real or complex numbers and where its elements stand in a
/// ciphertext's slots.
struct ManifestTensor {
  std::string name;
  std::vector<uint64_t> shape; // empty: a scalar
  double rangeLow = 0.0;       // inputs only: numbers outside (either part) are refused
  double rangeHigh = 0.0;
  uint64_t lanes = 1;  // a power of two: at least the elements after padding each dimension to one
  uint64_t batch = 1;  // items that one ciphertext holds
  bool batched = true; // false: one item, copied to every place
  uint32_t level = 0;
  ManifestScale scale;
  bool isComplex = false;
};

/// What a key switches from, to the main secret s: s^2, sigma(s), the ephemeral secret (toMain); or
/// from s to the ephemeral secret.
enum class KeyKind : uint8_t { relinearize, galois, toEphemeral, toMain };

/// The name of a kind in manifests.
constexpr std::string_view keyKindName(KeyKind kind) {
  switch (kind) {
  case KeyKind::relinearize:
    return "relinearize";
  case KeyKind::galois:
    return "galois";
  case KeyKind::toEphemeral:
    return "to_ephemeral";
  case KeyKind::toMain:
    return "to_main";
  }
  return "";
}
/// The kind of that name, or nothing.
constexpr std::optional<KeyKind> findKeyKind(std::string_view name) {
  for (KeyKind kind :
       {KeyKind::relinearize, KeyKind::galois, KeyKind::toEphemeral, KeyKind::toMain})
    if (keyKindName(kind) == name)
      return kind;
  return std::nullopt;
}

/// One evaluation key. `limbs`: those of specialLimbs() first, then those of the levels it serves:
/// the order of the rows in the file. `digits` partitions the latter.
struct ManifestKey {
  KeyKind kind = KeyKind::relinearize;
  uint32_t element = 0; // galois: odd, below 2N; switches from sigma_element(s) to s
  std::vector<uint16_t> limbs;
  std::vector<std::vector<uint16_t>> digits;
  bool permuted = false; // galois: sigma_element^-1 of that key: from s to sigma_element^-1(s)

  bool operator==(const ManifestKey &) const = default;
};

struct ManifestSecurity {
  double bits = 128;
  bool insecure = false; // parameters for tests; a client refuses them unless told otherwise
  double logQP = 0;      // log2 of the largest modulus of any key
  uint32_t limit = 0;    // of the row; 0 if insecure and there is no row
  std::string row;
};

/// The second secret of programs that raise the modulus under one of few coefficients. Every client
/// draws it together with its evaluation keys, and forgets it.
struct ManifestEphemeral {
  SecretDistribution distribution = SecretDistribution::ephemeral32;
  std::vector<uint16_t> special; // the limbs that its key adds, in place of those of P
  double logQP = 0;              // log2 of that key's modulus
  uint32_t limit = 0;            // of the row; 0 if insecure and there is no row
  std::string row;
};

/// What the compiler predicts, from theory; for people.
struct ManifestForecast {
  double precisionBits = 0;
  uint64_t keyBytes = 0;
  uint64_t arenaBytes = 0;
  double timeMs = 0;
  uint64_t levels = 0;
  uint64_t ciphertextProducts = 0;
  uint64_t keySwitches = 0;
};

/// A kind of key, and what the security table allows its modulus.
struct CertifiedKey {
  std::string object; // "public_key", or the kind of evaluation keys
  double logQP = 0;   // log2 of the largest modulus of a key of that kind
  uint32_t limit = 0; // of the row; 0 if there is none
  std::string row;

  bool operator==(const CertifiedKey &) const = default;
};

/// What is predicted of one output, in units of its values, and the noise that hides it.
struct CertifiedOutput {
  std::string name;
  double deviation = 0;         // of the error of a number, at the inputs where it is largest
  double errorNorm = 0;         // bounds the l2 norm of the errors of all numbers given out
  double floodingDeviation = 0; // added to each; 0 if no decryption may be shared
  double precisionBits = 0;     // that are left
};

/// What a client and whoever trusts it may rely on: docs/security.md, "Sharing decrypted results".
struct ManifestCertificate {
  std::vector<CertifiedKey> keys;
  std::optional<double> log2Failure;    // of a run, over all its bootstraps; nothing without any
  uint64_t decryptions = 0;             // that may be shared under one secret key
  double statisticalBits = 0;           // 0 if none may
  std::vector<CertifiedOutput> outputs; // as the manifest's; none without a forecast
};

struct Manifest {
  std::string programName;
  std::string programId; // 64 hexadecimal digits, lower case
  std::string compiler;

  uint32_t logN = 0;
  std::vector<uint64_t> limbs;   // primes; every other number below indexes into this table
  std::vector<uint16_t> special; // the limbs of P
  std::vector<std::vector<uint16_t>> levels;
  SecretDistribution secret = SecretDistribution::uniformTernary;
  std::optional<ManifestEphemeral> ephemeral;
  double errorStandardDeviation = sluice::errorStandardDeviation;
  ManifestSecurity security;
  uint64_t slots = 1; // packing length n, repeated to N/2

  std::vector<ManifestTensor> inputs;
  std::vector<ManifestTensor> outputs;
  std::vector<ManifestKey> evaluationKeys;
  ManifestForecast forecast;
  std::optional<ManifestCertificate> certificate; // older compilers wrote none

  uint64_t degree() const { return uint64_t(1) << logN; }
  /// The limbs that a key of this kind adds to those it serves.
  const std::vector<uint16_t> &specialLimbs(KeyKind kind) const {
    return kind == KeyKind::toEphemeral && ephemeral ? ephemeral->special : special;
  }
};

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_MANIFEST_H
