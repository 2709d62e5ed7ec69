//===- keyset.cpp - the evaluation keys that a program runs with ----------------------------===//
#include "runtime/exec/keyset.h"

#include "runtime/ring/uniform.h"
#include "runtime/wire/evaluation_keys.h"

#include <algorithm>
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

/// Moves the rows of the `b` half, read one after the other, to their places; the last one first.
void standApart(EvaluationKey &key) {
  const size_t rows = key.limbs.size();
  for (size_t i = key.digitCount * rows; i-- > 1;)
    std::copy_backward(key.b.data() + i * key.degree, key.b.data() + (i + 1) * key.degree,
                       key.b.data() + key.rowOffset(i / rows, i % rows) + key.degree);
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
  SLUICE_ASSIGN_OR_RETURN(key->b, AlignedWords::tryAllocate(key->halfWords()));
  SLUICE_ASSIGN_OR_RETURN(key->a, AlignedWords::tryAllocate(key->halfWords()));
  SLUICE_RETURN_IF_ERROR(reader.readKey(k, key->b.span().first(wire::keyWords(manifest, entry))));
  standApart(*key);
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
    bytes += 2 * key->digitCount * key->limbs.size() * key->degree * sizeof(uint64_t);
  return bytes;
}

} // namespace sluice::exec
