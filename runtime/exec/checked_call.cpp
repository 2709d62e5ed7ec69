//===- checked_call.cpp - one call of compiled code under check -----------------------------===//
#include "runtime/exec/checked_call.h"

#include <cstdarg>
#include <cstdio>

namespace sluice::exec {

static const char *nameOf(Form form) {
  constexpr const char *names[] = {"coeff", "eval", "half_intt", "half_ntt"};
  return names[static_cast<size_t>(form)];
}

CheckedCall::CheckedCall(sluice_context *context, const char *function, uint32_t n,
                         const uint16_t *limbs)
    : checker(*reinterpret_cast<CallChecker *>(context)), function(function), n(n), limbs(limbs),
      operandElement(checker.element) {
  ++checker.calls;
  if (n == 0)
    fail("has no limbs");
  if (checker.isInBody && n != 1)
    fail("works on %u limbs in a body of parallel_for, whose calls work on 1", n);
  for (uint32_t i = 0; i < n; ++i)
    if (limbs[i] >= checker.resources.ring->limbCount())
      fail("limb %u of the call is number %u, but there are %zu", i, limbs[i],
           checker.resources.ring->limbCount());
}

void CheckedCall::fail(const char *format, ...) {
  if (!checker.mistake.isOk())
    return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  checker.mistake = Status::error(StatusCode::internal, "call %llu, %s: %s",
                                  static_cast<unsigned long long>(checker.calls), function, text);
}

bool CheckedCall::isSlot(const char *operand, uint32_t position, uint32_t slot) {
  // Scratch slots exist only in a body of parallel_for.
  size_t count = checker.isInBody ? checker.slots.size() : checker.resources.arenaSlots;
  if (slot < count)
    return true;
  fail("%s[%u] is slot %u, but the arena has %zu", operand, position, slot, count);
  return false;
}

void CheckedCall::reads(const char *operand, const uint32_t *slots, std::optional<Form> form) {
  readsLimbs(operand, n, limbs, slots, form);
}

void CheckedCall::readsLimbs(const char *operand, uint32_t count, const uint16_t *wanted,
                             const uint32_t *slots, std::optional<Form> form) {
  operands.push_back({slots, count});
  for (uint32_t i = 0; i < count; ++i) {
    if (!isSlot(operand, i, slots[i]))
      return;
    const SlotContent &content = checker.slots[slots[i]];
    if (!content.isSet)
      return fail("%s[%u] is slot %u, which nothing was written to", operand, i, slots[i]);
    if (content.limb != wanted[i])
      return fail("%s[%u] is slot %u, which holds limb %u, not limb %u", operand, i, slots[i],
                  content.limb, wanted[i]);
    if (!form)
      form = operandForm;
    if (form && content.form != *form)
      return fail("%s[%u] is slot %u, which is in %s form, not %s form", operand, i, slots[i],
                  nameOf(content.form), nameOf(*form));
    operandForm = content.form;
    usesInBlocks(slots[i], content.form, operandElement, false);
  }
}

void CheckedCall::usesInBlocks(uint32_t slot, Form form, uint32_t element, bool isWritten) {
  if (!checker.isInBlocks)
    return;
  CallChecker::BlockUse &use = checker.blockUses[slot];
  bool isScratch = slot >= checker.resources.arenaSlots;
  bool isHalf = form == Form::halfIntt || form == Form::halfNtt;
  if (isHalf && isScratch)
    fail("slot %u, of scratch, cannot hold a half form in a body of parallel_for_blocks", slot);
  (isHalf ? use.isHalf : use.isInOrder) = true;
  if (use.isHalf && use.isInOrder)
    fail("slot %u is in a half form once and not another time in one parallel_for_blocks", slot);
  if (isScratch && !isWritten && checker.slots[slot].element != element)
    fail("slot %u, of scratch, holds the block of element %u, not %u", slot,
         checker.slots[slot].element, element);
  use.isWritten |= isWritten;
  use.isAtOthers |= use.element != 0 && use.element != element;
  use.element = element;
  if (!isScratch && use.isWritten && use.isAtOthers)
    fail("slot %u is written, but used at several blocks, in one parallel_for_blocks", slot);
}

void CheckedCall::takesScalars(const uint64_t *scalars) {
  for (uint32_t i = 0; i < n && checker.mistake.isOk(); ++i)
    if (scalars[i] >= resources().ring->modulus(limbs[i]).value())
      fail("scalars[%u] is not below its limb", i);
}

void CheckedCall::takesRows(const char *table, std::span<const uint16_t> tableLimbs,
                            const uint16_t *rows) {
  for (uint32_t i = 0; i < n; ++i) {
    if (rows[i] >= tableLimbs.size())
      return fail("rows[%u] is %u, but the %s has %zu", i, rows[i], table, tableLimbs.size());
    if (tableLimbs[rows[i]] != limbs[i])
      return fail("rows[%u] is row %u of the %s, which is limb %u, not limb %u", i, rows[i], table,
                  tableLimbs[rows[i]], limbs[i]);
  }
}

void CheckedCall::expects(bool condition, const char *text) {
  if (!condition)
    fail("%s", text);
}

void CheckedCall::movesWords() {
  expects(!checker.isInBlocks, "moves words across a limb, but stands in a body of "
                               "parallel_for_blocks");
}

void CheckedCall::takesElement(uint32_t element) {
  expects(element % 2 == 1 && element < 2 * resources().ring->degree(),
          "the element is not an odd number below 2N");
}

void CheckedCall::movesBlocks(uint32_t element) {
  operandElement = checker.element * element & (2 * resources().ring->degree() - 1);
}

void CheckedCall::takesWholeForms() {
  expects(operandForm != Form::halfIntt && operandForm != Form::halfNtt,
          "cannot compute with a half form");
}

void CheckedCall::writes(const char *result, const uint32_t *slots, bool inPlace,
                         std::optional<Form> form) {
  for (uint32_t i = 0; i < n; ++i) {
    if (!isSlot(result, i, slots[i]))
      return;
    for (const Operand &operand : operands)
      for (uint32_t k = 0; k < operand.count; ++k)
        if (operand.slots[k] == slots[i] && !(inPlace && i == k))
          return fail("%s[%u] is slot %u, which is still read at position %u", result, i, slots[i],
                      k);
    for (const Write &earlier : pending)
      if (earlier.slot == slots[i])
        return fail("%s[%u] is slot %u, which the call writes twice", result, i, slots[i]);
    const Form written = form.value_or(operandForm.value_or(Form::eval));
    pending.push_back({slots[i], {true, limbs[i], written, checker.element}});
    usesInBlocks(slots[i], written, checker.element, true);
  }
}

bool CheckedCall::isGood() {
  if (!checker.mistake.isOk())
    return false;
  for (const Write &write : pending)
    checker.slots[write.slot] = write.content;
  return true;
}

} // namespace sluice::exec
