//===- checked_call.h - one call of compiled code under check -------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_CHECKED_CALL_H
#define SLUICE_RUNTIME_EXEC_CHECKED_CALL_H

#include "runtime/exec/call_checker.h"

#include <optional>
#include <span>
#include <vector>

namespace sluice::exec {

/// One call under check. Operands first, then results, then `if (call.isGood())` the real call.
class CheckedCall {
public:
  CheckedCall(sluice_context *context, const char *function, uint32_t n, const uint16_t *limbs);

  /// Reads n slots that hold `limbs` in `form`; without a form, in that of the operands so far.
  void reads(const char *operand, const uint32_t *slots, std::optional<Form> form = {});
  /// The same for other limbs than the call's.
  void readsLimbs(const char *operand, uint32_t count, const uint16_t *limbs, const uint32_t *slots,
                  std::optional<Form> form);
  /// scalars[i] is a residue of limb i.
  void takesScalars(const uint64_t *scalars);
  /// Row rows[i] of a constant or key is limb i.
  void takesRows(const char *table, std::span<const uint16_t> tableLimbs, const uint16_t *rows);
  /// Fails in a body of parallel_for_blocks.
  void movesWords();
  /// Operands are read at the block that X -> X^element moves to that of the results.
  void movesBlocks(uint32_t element);
  /// `element` is one of an automorphism.
  void takesElement(uint32_t element);
  /// Sums and factors: half forms have words of their own.
  void takesWholeForms();
  /// Fails with `text` unless `condition`.
  void expects(bool condition, const char *text);

  /// Writes n slots in `form` (none: that of the operands). They are distinct; inPlace: one may be
  /// the slot of an operand at the same position, else it is no operand's.
  void writes(const char *result, const uint32_t *slots, bool inPlace,
              std::optional<Form> form = {});

  /// Without a mistake so far: what is written is recorded, and the call may be made.
  bool isGood();

  CalledBackend &backend() const { return checker.backend; }
  sluice_context *context() const { return checker.backend.context(); }
  const BackendResources &resources() const { return checker.resources; }

private:
  struct Operand {
    const uint32_t *slots;
    uint32_t count;
  };
  struct Write {
    uint32_t slot;
    SlotContent content;
  };

  /// Notes the use of a slot in a loop over blocks, and fails if another block may still need it.
  void usesInBlocks(uint32_t slot, Form form, uint32_t element, bool isWritten);
  [[gnu::format(printf, 2, 3)]] void fail(const char *format, ...);
  bool isSlot(const char *operand, uint32_t position, uint32_t slot);

  CallChecker &checker;
  const char *function;
  uint32_t n;
  const uint16_t *limbs;
  uint32_t operandElement; // of the block that operands are read at
  std::optional<Form> operandForm;
  std::vector<Operand> operands;
  std::vector<Write> pending;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_CHECKED_CALL_H
