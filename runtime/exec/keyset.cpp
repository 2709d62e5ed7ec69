//===- keyset.cpp - the evaluation keys that a program runs with ----------------------------===//
#include "runtime/exec/keyset.h"

#include "runtime/ring/uniform.h"
#include "runtime/wire/evaluation_keys.h"

#include <chrono>

namespace sluice::exec {
namespace {

/// Every digit's `a` half: the uniform expansion of the key's seed.
void expandUniformHalves(const ring::Ring &ring, const wire::Seed &seed, EvaluationKey &key,
                         ThreadPool &pool) {
  size_t rows = key.limbs.size();
  parallelFor(pool, key.digitCount * rows, [&](size_t task) {
    size_t digit = task / rows, row = task % rows;
    uint16_t limb = key.limbs[row];
    ring::expandUniformLimb(seed, static_cast<uint32_t>(digit), limb, ring.modulus(limb),
                            key.a.span().subspan(key.rowOffset(digit, row), key.degree));
  });
}

Expected<std::shared_ptr<const EvaluationKey>> readKey(const wire::EvaluationKeysReader &reader,
                                                       size_t k, const Program &program,
                                                       ThreadPool &pool) {
  const Manifest &manifest = program.manifest();
  const ManifestKey &entry = manifest.evaluationKeys[k];
  auto key = std::make_shared<EvaluationKey>();
  key->limbs = entry.limbs;
  key->digitCount = entry.digits.size();
  key->degree = manifest.degree();
  uint64_t words = wire::keyWords(manifest, entry);
  SLUICE_ASSIGN_OR_RETURN(key->b, AlignedWords::tryAllocate(words));
  SLUICE_ASSIGN_OR_RETURN(key->a, AlignedWords::tryAllocate(words));
  SLUICE_RETURN_IF_ERROR(reader.readKey(k, key->b.span()));
  expandUniformHalves(*program.ring(), reader.seed(k), *key, pool);
  return std::shared_ptr<const EvaluationKey>(std::move(key));
}

} // namespace

Expected<std::shared_ptr<const KeySet>> KeySet::load(std::unique_ptr<wire::Source> source,
                                                     const Program &program, ThreadPool &pool) {
  auto start = std::chrono::steady_clock::now();
  const Manifest &manifest = program.manifest();
  SLUICE_ASSIGN_OR_RETURN(wire::EvaluationKeysReader reader,
                          wire::EvaluationKeysReader::open(std::move(source), manifest));
  std::shared_ptr<KeySet> set(new KeySet);
  set->id = reader.keyId();
  set->program = manifest.programId;
  for (size_t k = 0; k < manifest.evaluationKeys.size(); ++k) {
    SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const EvaluationKey> key,
                            readKey(reader, k, program, pool));
    set->evaluationKeys.push_back(std::move(key));
  }
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  set->loadTimeMs = elapsed.count();
  return std::shared_ptr<const KeySet>(std::move(set));
}

uint64_t KeySet::bytes() const {
  uint64_t bytes = 0;
  for (const std::shared_ptr<const EvaluationKey> &key : evaluationKeys)
    bytes += key->a.span().size_bytes() + key->b.span().size_bytes();
  return bytes;
}

} // namespace sluice::exec
