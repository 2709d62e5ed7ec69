//===- call_checker.cpp - checks what compiled code asks for --------------------------------===//
#include "runtime/exec/call_checker.h"

#include "runtime/exec/checked_call.h"

#include <algorithm>

namespace sluice::exec {

//===- One function each of functions.def: what it reads and writes ===//

namespace {

void sluice_checked_ntt(sluice_context *context, uint32_t n, const uint16_t *limbs,
                        const uint32_t *dst, const uint32_t *src) {
  CheckedCall call(context, "ntt", n, limbs);
  call.movesWords();
  call.reads("src", src, Form::coeff);
  call.writes("dst", dst, true, Form::eval);
  if (call.isGood())
    call.backend().functions().ntt(call.context(), n, limbs, dst, src);
}

void sluice_checked_intt(sluice_context *context, uint32_t n, const uint16_t *limbs,
                         const uint32_t *dst, const uint32_t *src) {
  CheckedCall call(context, "intt", n, limbs);
  call.movesWords();
  call.reads("src", src, Form::eval);
  call.writes("dst", dst, true, Form::coeff);
  if (call.isGood())
    call.backend().functions().intt(call.context(), n, limbs, dst, src);
}

void sluice_checked_ntt_rows(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *src) {
  CheckedCall call(context, "ntt_rows", n, limbs);
  call.reads("src", src, Form::halfNtt);
  call.writes("dst", dst, false, Form::eval);
  if (call.isGood())
    call.backend().functions().ntt_rows(call.context(), n, limbs, dst, src);
}

void sluice_checked_intt_rows(sluice_context *context, uint32_t n, const uint16_t *limbs,
                              const uint32_t *dst, const uint32_t *src) {
  CheckedCall call(context, "intt_rows", n, limbs);
  call.reads("src", src, Form::eval);
  call.writes("dst", dst, false, Form::halfIntt);
  if (call.isGood())
    call.backend().functions().intt_rows(call.context(), n, limbs, dst, src);
}

/// The limbs that slots hold; slots outside the arena count as limb 0 and are found later.
std::vector<uint16_t> limbsIn(std::span<const SlotContent> contents, uint32_t n,
                              const uint32_t *slots) {
  std::vector<uint16_t> limbs(n);
  for (uint32_t i = 0; i < n; ++i)
    if (slots[i] < contents.size())
      limbs[i] = contents[slots[i]].limb;
  return limbs;
}

void sluice_checked_copy(sluice_context *context, uint32_t n, const uint32_t *dst,
                         const uint32_t *src) {
  std::vector<uint16_t> limbs =
      limbsIn(reinterpret_cast<CallChecker *>(context)->contents(), n, src);
  CheckedCall call(context, "copy", n, limbs.data());
  call.reads("src", src);
  call.writes("dst", dst, true);
  if (call.isGood())
    call.backend().functions().copy(call.context(), n, dst, src);
}

using BinaryFunction = decltype(sluice_functions::add);

void checkBinary(sluice_context *context, const char *name, BinaryFunction sluice_functions::*f,
                 std::optional<Form> form, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                 const uint32_t *a, const uint32_t *b) {
  CheckedCall call(context, name, n, limbs);
  call.reads("a", a, form);
  call.reads("b", b, form);
  call.takesWholeForms();
  call.writes("dst", dst, true);
  if (call.isGood())
    (call.backend().functions().*f)(call.context(), n, limbs, dst, a, b);
}

void sluice_checked_add(sluice_context *context, uint32_t n, const uint16_t *limbs,
                        const uint32_t *dst, const uint32_t *a, const uint32_t *b) {
  checkBinary(context, "add", &sluice_functions::add, {}, n, limbs, dst, a, b);
}

void sluice_checked_sub(sluice_context *context, uint32_t n, const uint16_t *limbs,
                        const uint32_t *dst, const uint32_t *a, const uint32_t *b) {
  checkBinary(context, "sub", &sluice_functions::sub, {}, n, limbs, dst, a, b);
}

void sluice_checked_negate(sluice_context *context, uint32_t n, const uint16_t *limbs,
                           const uint32_t *dst, const uint32_t *a) {
  CheckedCall call(context, "negate", n, limbs);
  call.reads("a", a);
  call.takesWholeForms();
  call.writes("dst", dst, true);
  if (call.isGood())
    call.backend().functions().negate(call.context(), n, limbs, dst, a);
}

void sluice_checked_mul(sluice_context *context, uint32_t n, const uint16_t *limbs,
                        const uint32_t *dst, const uint32_t *a, const uint32_t *b) {
  checkBinary(context, "mul", &sluice_functions::mul, Form::eval, n, limbs, dst, a, b);
}

void sluice_checked_mac(sluice_context *context, uint32_t n, const uint16_t *limbs,
                        const uint32_t *dst, const uint32_t *acc, const uint32_t *a,
                        const uint32_t *b) {
  CheckedCall call(context, "mac", n, limbs);
  call.reads("acc", acc, Form::eval);
  call.reads("a", a, Form::eval);
  call.reads("b", b, Form::eval);
  call.writes("dst", dst, true);
  if (call.isGood())
    call.backend().functions().mac(call.context(), n, limbs, dst, acc, a, b);
}

using ScalarFunction = decltype(sluice_functions::mul_scalar);

void checkScalar(sluice_context *context, const char *name, ScalarFunction sluice_functions::*f,
                 uint32_t n, const uint16_t *limbs, const uint32_t *dst, const uint32_t *a,
                 const uint64_t *scalars) {
  CheckedCall call(context, name, n, limbs);
  call.reads("a", a);
  call.takesWholeForms();
  call.takesScalars(scalars);
  call.writes("dst", dst, true);
  if (call.isGood())
    (call.backend().functions().*f)(call.context(), n, limbs, dst, a, scalars);
}

void sluice_checked_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                               const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  checkScalar(context, "mul_scalar", &sluice_functions::mul_scalar, n, limbs, dst, a, scalars);
}

void sluice_checked_add_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                               const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  checkScalar(context, "add_scalar", &sluice_functions::add_scalar, n, limbs, dst, a, scalars);
}

void sluice_checked_sub_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                   const uint32_t *dst, const uint32_t *a, const uint32_t *b,
                                   const uint64_t *scalars) {
  CheckedCall call(context, "sub_mul_scalar", n, limbs);
  call.reads("a", a);
  call.reads("b", b);
  call.takesWholeForms();
  call.takesScalars(scalars);
  call.writes("dst", dst, true);
  if (call.isGood())
    call.backend().functions().sub_mul_scalar(call.context(), n, limbs, dst, a, b, scalars);
}

/// Whether the constant exists; checks its rows if so.
void takesConstant(CheckedCall &call, uint32_t constant, const uint16_t *rows) {
  const auto &constants = call.resources().constants;
  call.expects(constant < constants.size(), "there is no constant of this number");
  if (constant < constants.size())
    call.takesRows("constant", constants[constant]->limbs, rows);
}

using ConstantFunction = decltype(sluice_functions::add_constant);

void checkConstant(sluice_context *context, const char *name, ConstantFunction sluice_functions::*f,
                   uint32_t n, const uint16_t *limbs, const uint32_t *dst, const uint32_t *a,
                   uint32_t constant, const uint16_t *rows) {
  CheckedCall call(context, name, n, limbs);
  call.reads("a", a, Form::eval);
  takesConstant(call, constant, rows);
  call.writes("dst", dst, true);
  if (call.isGood())
    (call.backend().functions().*f)(call.context(), n, limbs, dst, a, constant, rows);
}

void sluice_checked_add_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                 const uint32_t *dst, const uint32_t *a, uint32_t constant,
                                 const uint16_t *rows) {
  checkConstant(context, "add_constant", &sluice_functions::add_constant, n, limbs, dst, a,
                constant, rows);
}

void sluice_checked_mul_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                 const uint32_t *dst, const uint32_t *a, uint32_t constant,
                                 const uint16_t *rows) {
  checkConstant(context, "mul_constant", &sluice_functions::mul_constant, n, limbs, dst, a,
                constant, rows);
}

void sluice_checked_mac_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                 const uint32_t *dst, const uint32_t *acc, const uint32_t *a,
                                 uint32_t constant, const uint16_t *rows) {
  CheckedCall call(context, "mac_constant", n, limbs);
  call.reads("acc", acc, Form::eval);
  call.reads("a", a, Form::eval);
  takesConstant(call, constant, rows);
  call.writes("dst", dst, true);
  if (call.isGood())
    call.backend().functions().mac_constant(call.context(), n, limbs, dst, acc, a, constant, rows);
}

void sluice_checked_automorphism(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                 const uint32_t *dst, const uint32_t *src, uint32_t element) {
  CheckedCall call(context, "automorphism", n, limbs);
  call.takesElement(element);
  call.movesBlocks(element);
  call.reads("src", src, Form::eval);
  call.writes("dst", dst, false);
  if (call.isGood())
    call.backend().functions().automorphism(call.context(), n, limbs, dst, src, element);
}

using ConvertFunction = decltype(sluice_functions::base_convert);

void checkConvert(sluice_context *context, const char *name, ConvertFunction sluice_functions::*f,
                  Form from, Form to, uint32_t nDst, const uint16_t *dstLimbs, const uint32_t *dst,
                  uint32_t nSrc, const uint16_t *srcLimbs, const uint32_t *src) {
  CheckedCall call(context, name, nDst, dstLimbs);
  call.expects(!reinterpret_cast<CallChecker *>(context)->inBody(),
               "is not limb-wise, but stands in a body of parallel_for");
  call.expects(nSrc >= 1 && nSrc <= kernels::maxConvertSources, "has no source limbs or too many");
  call.readsLimbs("src", nSrc, srcLimbs, src, from);
  call.writes("dst", dst, false, to);
  if (call.isGood())
    (call.backend().functions().*f)(call.context(), nDst, dstLimbs, dst, nSrc, srcLimbs, src);
}

void sluice_checked_base_convert(sluice_context *context, uint32_t nDst, const uint16_t *dstLimbs,
                                 const uint32_t *dst, uint32_t nSrc, const uint16_t *srcLimbs,
                                 const uint32_t *src) {
  checkConvert(context, "base_convert", &sluice_functions::base_convert, Form::coeff, Form::coeff,
               nDst, dstLimbs, dst, nSrc, srcLimbs, src);
}

void sluice_checked_base_convert_columns(sluice_context *context, uint32_t nDst,
                                         const uint16_t *dstLimbs, const uint32_t *dst,
                                         uint32_t nSrc, const uint16_t *srcLimbs,
                                         const uint32_t *src) {
  checkConvert(context, "base_convert_columns", &sluice_functions::base_convert_columns,
               Form::halfIntt, Form::halfNtt, nDst, dstLimbs, dst, nSrc, srcLimbs, src);
}

void sluice_checked_inner_product(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                  const uint32_t *dst0, const uint32_t *dst1, uint32_t nDigits,
                                  const uint32_t *digits, uint32_t key, const uint16_t *keyDigits,
                                  const uint16_t *rows) {
  CheckedCall call(context, "inner_product", n, limbs);
  call.expects(nDigits >= 1 && nDigits <= kernels::maxDigits, "has no digits or too many");
  for (uint32_t j = 0; j < nDigits; ++j)
    call.reads("digits", digits + j * n, Form::eval);
  const auto &keys = call.resources().keys;
  call.expects(key < keys.size(), "there is no key of this number");
  if (key < keys.size()) {
    call.takesRows("key", keys[key]->limbs, rows);
    for (uint32_t j = 0; j < nDigits; ++j)
      call.expects(keyDigits[j] < keys[key]->digitCount, "the key has no digit of this number");
  }
  call.writes("dst0", dst0, false);
  call.writes("dst1", dst1, false);
  if (call.isGood())
    call.backend().functions().inner_product(call.context(), n, limbs, dst0, dst1, nDigits, digits,
                                             key, keyDigits, rows);
}

void sluice_checked_weighted_sum(sluice_context *context, uint32_t n, const uint16_t *limbs,
                                 const uint32_t *dst0, const uint32_t *dst1, const uint32_t *acc0,
                                 const uint32_t *acc1, uint32_t nTerms, const uint32_t *values0,
                                 const uint32_t *values1, const uint32_t *constants,
                                 const uint16_t *rows) {
  CheckedCall call(context, "weighted_sum", n, limbs);
  call.expects(nTerms >= 1 && nTerms <= kernels::maxDigits, "has no terms or too many");
  call.reads("acc0", acc0, Form::eval);
  call.reads("acc1", acc1, Form::eval);
  for (uint32_t j = 0; j < nTerms; ++j) {
    call.reads("values0", values0 + j * n, Form::eval);
    call.reads("values1", values1 + j * n, Form::eval);
    takesConstant(call, constants[j], rows + j * n);
  }
  call.writes("dst0", dst0, true);
  call.writes("dst1", dst1, true);
  if (call.isGood())
    call.backend().functions().weighted_sum(call.context(), n, limbs, dst0, dst1, acc0, acc1,
                                            nTerms, values0, values1, constants, rows);
}

void sluice_checked_zero(sluice_context *context, uint32_t n, const uint16_t *limbs,
                         const uint32_t *dst) {
  CheckedCall call(context, "zero", n, limbs);
  call.writes("dst", dst, false, Form::eval);
  if (call.isGood())
    call.backend().functions().zero(call.context(), n, limbs, dst);
}

/// Runs the body here, limb after limb, so that each of its calls is checked.
void sluice_checked_parallel_for(sluice_context *context, uint32_t n, sluice_limb_body body) {
  reinterpret_cast<CallChecker *>(context)->runBody(n, body, false);
}

/// Whole limbs too: what is right for them is right for every block, if no call moves words between
/// blocks, half forms share no slot, and nobody reads a block that another has not written yet.
void sluice_checked_parallel_for_blocks(sluice_context *context, uint32_t n,
                                        sluice_limb_body body) {
  reinterpret_cast<CallChecker *>(context)->runBody(n, body, true);
}

void sluice_checked_select_block(sluice_context *context, uint32_t element) {
  const uint16_t anyLimb = 0;
  CheckedCall call(context, "select_block", 1, &anyLimb);
  call.takesElement(element);
  if (call.isGood())
    reinterpret_cast<CallChecker *>(context)->selectBlock(element);
}

void sluice_checked_begin_stage(sluice_context *context, uint32_t stage) {
  const uint16_t anyLimb = 0;
  CheckedCall call(context, "begin_stage", 1, &anyLimb);
  call.expects(stage < call.resources().stages, "there is no stage of that number");
  call.expects(!reinterpret_cast<CallChecker *>(context)->inBody(),
               "stands in a body of parallel_for");
  if (call.isGood())
    call.backend().functions().begin_stage(call.context(), stage);
}

constexpr sluice_functions checkedFunctions = {
    SLUICE_ABI_VERSION,
    0,
#define SLUICE_FUNCTION(name, parameters) sluice_checked_##name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};

} // namespace

CallChecker::CallChecker(BackendResources resources, CalledBackend &backend)
    : resources(std::move(resources)), backend(backend),
      slots(this->resources.arenaSlots + this->resources.scratchSlots) {}

const sluice_functions &CallChecker::functions() const { return checkedFunctions; }

void CallChecker::runBody(uint32_t n, sluice_limb_body body, bool inBlocks) {
  ++calls;
  if (isInBody && mistake.isOk())
    mistake = Status::error(StatusCode::internal, "call %llu, %s: stands in a body of parallel_for",
                            static_cast<unsigned long long>(calls),
                            inBlocks ? "parallel_for_blocks" : "parallel_for");
  blockUses.assign(slots.size(), BlockUse());
  for (uint32_t i = 0; i < n && mistake.isOk(); ++i) {
    isInBody = true;
    isInBlocks = inBlocks;
    element = 1;
    body(context(), &checkedFunctions, i, resources.arenaSlots);
    isInBody = isInBlocks = false;
    element = 1;
    // Another thread would not see what this limb left there.
    std::fill(slots.begin() + resources.arenaSlots, slots.end(), SlotContent());
  }
}

void CallChecker::selectBlock(uint32_t chosen) {
  if (isInBlocks)
    element = chosen;
}

void CallChecker::begin(const Manifest &manifest, const ProgramSection &program) {
  std::ranges::fill(slots, SlotContent());
  calls = 0;
  isInBody = false;
  mistake = Status();
  for (const ProgramPort &port : program.inputs)
    for (const std::vector<uint32_t> &polynomial : port.slots)
      for (size_t k = 0; k < polynomial.size(); ++k)
        slots[polynomial[k]] = {true, manifest.levels[port.level][k], Form::eval};
}

Expected<int32_t> CallChecker::run(sluice_program_run_fn entry, const Manifest &manifest,
                                   const ProgramSection &program) {
  begin(manifest, program);
  const int32_t result = entry(context(), &functions());
  SLUICE_RETURN_IF_ERROR(backend.finish());
  SLUICE_RETURN_IF_ERROR(finish(manifest, program));
  return result;
}

Status CallChecker::finish(const Manifest &manifest, const ProgramSection &program) {
  SLUICE_RETURN_IF_ERROR(mistake);
  for (size_t index = 0; index < program.outputs.size(); ++index) {
    const ProgramPort &port = program.outputs[index];
    for (const std::vector<uint32_t> &polynomial : port.slots)
      for (size_t k = 0; k < polynomial.size(); ++k) {
        const SlotContent &content = slots[polynomial[k]];
        uint16_t limb = manifest.levels[port.level][k];
        if (!content.isSet || content.limb != limb || content.form != Form::eval)
          return Status::error(StatusCode::internal,
                               "after the last call: output '%s': slot %u does not hold limb %u in "
                               "eval form",
                               manifest.outputs[index].name.c_str(), polynomial[k], limb);
      }
  }
  return Status();
}

} // namespace sluice::exec
