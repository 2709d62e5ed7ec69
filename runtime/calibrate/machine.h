//===- machine.h - a backend with operands to time its functions on ---------------------------===//
#ifndef SLUICE_RUNTIME_CALIBRATE_MACHINE_H
#define SLUICE_RUNTIME_CALIBRATE_MACHINE_H

#include "runtime/cpu/backend.h"

#include <memory>
#include <optional>
#include <vector>

namespace sluice::calibrate {

/// Where the operands of successive calls stand: in the same few slots, or always in those that
/// were used longest ago.
enum class Operands { cached, memory };

/// What the slots hold that calls read: functions between half forms take what others left.
enum class Contents { residues, halfIntt, halfNtt };

/// One ring with an arena and a key that are larger than the caches, all of random residues.
class Machine {
public:
  /// What a call with operands from memory goes through before it comes back to a slot.
  static constexpr uint64_t arenaBytes = uint64_t(96) << 20, keyBytes = uint64_t(64) << 20;
  static constexpr uint16_t limbCount = 19; // of 50 bits: the largest base conversion that is timed
  static constexpr uint32_t fewestSlots = 64;

  static Expected<std::unique_ptr<Machine>> create(unsigned logN, ThreadPool &pool);

  const char *kernelName() const { return ring->kernels().name; }
  size_t degree() const { return ring->degree(); }
  uint32_t slotCount() const { return static_cast<uint32_t>(slots.size()); }
  /// Limbs of one call: 1 on one thread, as in the body of a limb loop; else work for every thread.
  uint32_t limbsPerCall() const { return callLimbs; }
  uint32_t keyDigits() const { return static_cast<uint32_t>(digitNumbers.size()); }

  using Unary = decltype(sluice_functions::ntt);
  using Binary = decltype(sluice_functions::add);
  using Scalar = decltype(sluice_functions::mul_scalar);

  /// Calls the function with operands from there.
  void unary(Operands from, Unary sluice_functions::*function);
  void binary(Operands from, Binary sluice_functions::*function);
  void scalar(Operands from, Scalar sluice_functions::*function);
  void copy(Operands from);
  void zero(Operands from);
  void mac(Operands from);
  void subMulScalar(Operands from);
  void automorphism(Operands from);
  void baseConvert(Operands from, uint32_t sources, uint32_t destinations);
  void innerProduct(Operands from, uint32_t digits);
  /// Fills the first half of the slots, which the calls below read; they write the second half.
  void prepare(Contents contents);
  /// ntt_rows of halfNtt, intt_rows of residues.
  void transformRows(Operands from, Unary sluice_functions::*function);
  /// base_convert_columns of halfIntt.
  void convertColumns(Operands from, uint32_t sources, uint32_t destinations);
  /// add on one limb, the next of the first `count` slots in turn.
  void addWithin(uint32_t count);

  /// What the calls since the last one failed with.
  Status finish() { return failure.isOk() ? backend->finish() : failure; }

private:
  Machine() = default;

  std::shared_ptr<const exec::EvaluationKey> makeKey() const;
  Status fillArena();
  const sluice_functions &call() const { return backend->functions(); }
  sluice_context *context() const { return backend->context(); }
  /// Slots for the next operand of a call.
  const uint32_t *take(uint32_t count);
  /// The next `count` of the first `bound` slots.
  const uint32_t *takeBelow(uint32_t bound, uint32_t count);
  /// Slots of the half that prepare() fills; those of the other are so much further on.
  uint32_t half() const { return slotCount() / 2; }
  void begin(Operands from);

  std::shared_ptr<const ring::Ring> ring;
  std::unique_ptr<exec::CalledBackend> backend;
  uint32_t callLimbs = 1;
  uint32_t next = 0;         // the slot after the last one taken
  uint32_t nextKeyDigit = 0; // likewise
  uint32_t nextLimb = 0;     // of the next call's first limb: transforms have tables for each
  Status failure;            // of prepare()
  std::optional<Contents> prepared; // what the first half of the slots holds, if it is known
  std::vector<uint32_t> slots;
  std::vector<uint16_t> limbs, rows, digitNumbers;
  std::vector<uint64_t> scalars;
};

} // namespace sluice::calibrate

#endif // SLUICE_RUNTIME_CALIBRATE_MACHINE_H
