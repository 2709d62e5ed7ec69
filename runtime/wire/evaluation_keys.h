//===- evaluation_keys.h - evaluation keys as bytes ------------------------------------------===//
//
// A stream: one key in memory at a time, when written and when read.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_EVALUATION_KEYS_H
#define SLUICE_RUNTIME_WIRE_EVALUATION_KEYS_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/wire/section.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::wire {

using Seed = std::array<uint8_t, 32>;

/// Words of a key's `b` halves: digits x limbs x N, in this order.
inline uint64_t keyWords(const Manifest &manifest, const ManifestKey &key) {
  return key.digits.size() * key.limbs.size() * manifest.degree();
}

/// "relinearisation", "rotation, element 25" and the like: for messages.
std::string keyName(const ManifestKey &key);

/// Reads the keys that a manifest lists.
class EvaluationKeysReader {
public:
  /// mismatch: another program. notFound: a key of the manifest is missing. corruptFile: the rest.
  /// The manifest must outlive the reader.
  static Expected<EvaluationKeysReader> open(std::unique_ptr<Source> source,
                                             const Manifest &manifest);

  /// The secret key that they belong to: 32 hexadecimal digits.
  const std::string &keyId() const { return id; }
  /// The seed of key `k` of the manifest's list: the `a` half of digit j is its uniform expansion
  /// with digit number j.
  const Seed &seed(size_t k) const { return seeds[k]; }
  /// Fills the `b` halves, canonical residues in evaluation form; out.size() = keyWords.
  Status readKey(size_t k, std::span<uint64_t> out) const;

private:
  EvaluationKeysReader(SectionReader reader, const Manifest &manifest)
      : reader(std::move(reader)), manifest(&manifest) {}

  SectionReader reader;
  const Manifest *manifest;
  std::string id;
  std::vector<Seed> seeds;
  Section keys;
  std::vector<uint64_t> offsets; // of each key in the section
};

/// Writes them, in the manifest's order.
class EvaluationKeysWriter {
public:
  /// One seed for each key of the manifest, which must outlive the writer.
  static Expected<EvaluationKeysWriter> begin(std::unique_ptr<Sink> sink, const Manifest &manifest,
                                              const std::string &keyId,
                                              std::span<const Seed> seeds);
  /// The `b` halves of the next key, or a part of them.
  Status append(std::span<const uint64_t> words) { return writer.appendWords(words); }
  /// All keys must have been appended.
  Status finish() { return writer.finish(); }

private:
  explicit EvaluationKeysWriter(SectionWriter writer) : writer(std::move(writer)) {}
  SectionWriter writer;
};

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_EVALUATION_KEYS_H
