//===- certificate.h - the certificate in a manifest -----------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_CERTIFICATE_H
#define SLUICE_RUNTIME_WIRE_CERTIFICATE_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/wire/json_value.h"

#include <string>
#include <vector>

namespace sluice::wire {

/// Every kind of key that the manifest's clients make, each with the largest modulus and its row.
std::vector<CertifiedKey> certifyKeys(const Manifest &manifest);

/// How many numbers one decryption of a tensor gives out: a complex one is two.
uint64_t numbersGivenOut(const ManifestTensor &tensor);

/// The least deviation of an error that an output can have: a ciphertext is rounded to integers
/// at least once.
double leastDeviation(const Manifest &manifest, const ManifestTensor &output);

/// The largest deviation of flooding, in units of values, that the level of an output can hold.
double floodingRoom(const Manifest &manifest, const ManifestTensor &output);

/// Shape of the field `certificate` only.
Expected<ManifestCertificate> readCertificate(const JsonValue &json);
nlohmann::ordered_json certificateJson(const ManifestCertificate &certificate);

/// Checks all that follows from other numbers: the keys; that outputs are the manifest's; that each
/// is flooded by what the formula asks for (abi/flooding.h), which must fit its level; that at
/// least defaultStatisticalBits are promised, unless the manifest is insecure. corruptFile, or
/// insecure where less is promised than it must be. Nothing to do without a certificate.
Status checkCertificate(const Manifest &manifest, const std::string &name);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_CERTIFICATE_H
