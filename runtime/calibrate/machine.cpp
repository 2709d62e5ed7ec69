//===- machine.cpp - a backend with operands to time its functions on -------------------------===//
#include "runtime/calibrate/machine.h"

#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

namespace sluice::calibrate {
namespace {

constexpr unsigned primeBits = 50;
/// Below every prime of `primeBits` bits.
constexpr uint64_t someScalar = 12345678901234;

constexpr auto allLimbs = [] {
  std::array<uint16_t, Machine::limbCount> numbers{};
  std::iota(numbers.begin(), numbers.end(), uint16_t{0});
  return numbers;
}();

uint64_t someResidue(std::mt19937_64 &random) { return random() >> (64 - primeBits + 1); }

} // namespace

Expected<std::unique_ptr<Machine>> Machine::create(unsigned logN, ThreadPool &pool) {
  std::unique_ptr<Machine> machine(new Machine);
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint64_t> primes,
                          ring::nttPrimesBelow(logN, primeBits, limbCount));
  SLUICE_ASSIGN_OR_RETURN(ring::Ring ring, ring::Ring::create(logN, primes));
  machine->ring = std::make_shared<const ring::Ring>(std::move(ring));
  uint32_t slotCount =
      std::max(fewestSlots, static_cast<uint32_t>(arenaBytes / sizeof(uint64_t) >> logN));
  machine->slots.resize(slotCount);
  std::iota(machine->slots.begin(), machine->slots.end(), 0u);
  unsigned threads = pool.threadCount();
  machine->callLimbs = threads == 1 ? 1 : std::min(2 * threads, slotCount / 16);
  for (uint32_t i = 0; i < machine->callLimbs; ++i)
    machine->rows.push_back(static_cast<uint16_t>(i));
  for (uint32_t i = 0; i < machine->callLimbs + limbCount; ++i)
    machine->limbs.push_back(static_cast<uint16_t>(i % limbCount));
  machine->scalars.assign(machine->callLimbs, someScalar);

  exec::BackendResources resources;
  resources.ring = machine->ring;
  resources.arenaSlots = slotCount;
  resources.keys.push_back(machine->makeKey());
  machine->digitNumbers.resize(resources.keys[0]->digitCount);
  std::iota(machine->digitNumbers.begin(), machine->digitNumbers.end(), uint16_t{0});
  SLUICE_ASSIGN_OR_RETURN(machine->backend, cpu::createBackend(std::move(resources), pool));
  SLUICE_RETURN_IF_ERROR(machine->fillArena());
  return machine;
}

std::shared_ptr<const exec::EvaluationKey> Machine::makeKey() const {
  auto key = std::make_shared<exec::EvaluationKey>();
  key->limbs.assign(limbs.begin(), limbs.begin() + callLimbs);
  key->degree = degree();
  size_t digitWords = key->limbs.size() * degree();
  key->digitCount =
      std::clamp<size_t>(keyBytes / (2 * sizeof(uint64_t) * digitWords), 8, kernels::maxDigits);
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same operands in every calibration
  std::mt19937_64 random(1);
  for (AlignedWords *half : {&key->b, &key->a}) {
    *half = AlignedWords(key->halfWords());
    for (uint64_t &word : half->span())
      word = someResidue(random);
  }
  return key;
}

Status Machine::fillArena() {
  ring::Poly poly(1, degree());
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same operands in every calibration
  std::mt19937_64 random(2);
  for (size_t n = 0; n < degree(); ++n)
    poly.view().limb(0)[n] = someResidue(random);
  for (const uint32_t &slot : slots)
    SLUICE_RETURN_IF_ERROR(backend->write({&slot, 1}, poly.view()));
  return Status();
}

void Machine::begin(Operands from) {
  if (from == Operands::cached)
    next = nextKeyDigit = nextLimb = 0;
  else
    nextLimb = (nextLimb + 1) % limbCount;
}

const uint32_t *Machine::takeBelow(uint32_t bound, uint32_t count) {
  if (next + count > bound)
    next = 0;
  const uint32_t *taken = slots.data() + next;
  next += count;
  return taken;
}

const uint32_t *Machine::take(uint32_t count) {
  prepared.reset();
  return takeBelow(slotCount(), count);
}

void Machine::unary(Operands from, Unary sluice_functions::*function) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *src = take(callLimbs);
  (call().*function)(context(), callLimbs, limbs.data() + nextLimb, dst, src);
}

void Machine::binary(Operands from, Binary sluice_functions::*function) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *a = take(callLimbs), *b = take(callLimbs);
  (call().*function)(context(), callLimbs, limbs.data(), dst, a, b);
}

void Machine::scalar(Operands from, Scalar sluice_functions::*function) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *a = take(callLimbs);
  (call().*function)(context(), callLimbs, limbs.data(), dst, a, scalars.data());
}

void Machine::copy(Operands from) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *src = take(callLimbs);
  call().copy(context(), callLimbs, dst, src);
}

void Machine::zero(Operands from) {
  begin(from);
  call().zero(context(), callLimbs, limbs.data(), take(callLimbs));
}

void Machine::mac(Operands from) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *acc = take(callLimbs), *a = take(callLimbs),
                 *b = take(callLimbs);
  call().mac(context(), callLimbs, limbs.data(), dst, acc, a, b);
}

void Machine::subMulScalar(Operands from) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *a = take(callLimbs), *b = take(callLimbs);
  call().sub_mul_scalar(context(), callLimbs, limbs.data(), dst, a, b, scalars.data());
}

void Machine::automorphism(Operands from) {
  begin(from);
  const uint32_t *dst = take(callLimbs), *src = take(callLimbs);
  call().automorphism(context(), callLimbs, limbs.data(), dst, src,
                      ring::rotationElement(ring->logN(), 1));
}

void Machine::baseConvert(Operands from, uint32_t sources, uint32_t destinations) {
  begin(from);
  const uint32_t *dst = take(destinations), *src = take(sources);
  call().base_convert(context(), destinations, allLimbs.data() + sources, dst, sources,
                      allLimbs.data(), src);
}

void Machine::innerProduct(Operands from, uint32_t digits) {
  begin(from);
  if (nextKeyDigit + digits > keyDigits())
    nextKeyDigit = 0;
  const uint32_t *dst0 = take(callLimbs), *dst1 = take(callLimbs),
                 *operands = take(digits * callLimbs);
  call().inner_product(context(), callLimbs, limbs.data(), dst0, dst1, digits, operands, 0,
                       digitNumbers.data() + nextKeyDigit, rows.data());
  nextKeyDigit += digits;
}

void Machine::prepare(Contents contents) {
  if (std::exchange(prepared, contents) == contents)
    return;
  if (Status status = fillArena(); !status.isOk()) {
    failure = std::move(status);
    return;
  }
  if (contents == Contents::residues)
    return;
  const uint32_t *source = slots.data(), *other = slots.data() + half();
  for (uint32_t i = 0; i < half(); ++i) {
    call().intt_rows(context(), 1, allLimbs.data(), other + i, source + i);
    call().copy(context(), 1, source + i, other + i);
  }
  if (contents == Contents::halfIntt)
    return;
  for (uint32_t i = 0; i < half(); ++i) {
    call().base_convert_columns(context(), 1, allLimbs.data() + 1, other + i, 1, allLimbs.data(),
                                source + i);
    call().copy(context(), 1, source + i, other + i);
  }
}

void Machine::transformRows(Operands from, Unary sluice_functions::*function) {
  begin(from);
  const uint32_t *src = takeBelow(half(), callLimbs);
  (call().*function)(context(), callLimbs, limbs.data() + nextLimb, src + half(), src);
}

void Machine::convertColumns(Operands from, uint32_t sources, uint32_t destinations) {
  begin(from);
  const uint32_t *src = takeBelow(half(), std::max(sources, destinations));
  call().base_convert_columns(context(), destinations, allLimbs.data() + sources, src + half(),
                              sources, allLimbs.data(), src);
}

void Machine::addWithin(uint32_t count) {
  if (next + 3 > count)
    next = 0;
  const uint32_t *dst = take(1), *a = take(1), *b = take(1);
  call().add(context(), 1, limbs.data(), dst, a, b);
}

} // namespace sluice::calibrate
