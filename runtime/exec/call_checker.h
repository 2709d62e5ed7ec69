//===- call_checker.h - checks what compiled code asks for ----------------------------------===//
//
// Kernels called by compiled code check nothing. For work on a compiler, this table of functions
// stands between: it knows which limb each slot holds and in which form, checks every call against
// the contract in functions.def, and carries out no call after the first mistake.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_CALL_CHECKER_H
#define SLUICE_RUNTIME_EXEC_CALL_CHECKER_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/exec/backend.h"

#include <string>
#include <vector>

namespace sluice::exec {

/// The form of the residues of a limb.
enum class Form : uint8_t { coeff, eval, halfIntt, halfNtt };

/// What a slot holds.
struct SlotContent {
  bool isSet = false; // written since begin()
  uint16_t limb = 0;
  Form form = Form::eval;
};

class CallChecker {
public:
  /// Calls go on to `backend`, which has the same resources and outlives the checker.
  CallChecker(BackendResources resources, Backend &backend);

  /// What compiled code is called with in place of the backend's.
  sluice_context *context() { return reinterpret_cast<sluice_context *>(this); }
  const sluice_functions &functions() const;
  /// Of every slot of the arena, then of one thread's scratch slots.
  std::span<const SlotContent> contents() const { return slots; }

  /// Carries out a loop over limbs, or over their blocks: then no call may move words across a
  /// limb.
  void runBody(uint32_t n, sluice_limb_body body, bool inBlocks);
  bool inBody() const { return isInBody; }

  /// Forgets everything but the inputs, which are in their slots.
  void begin(const Manifest &manifest, const ProgramSection &program);
  /// The first mistake since begin(), or an output that is not in its slots (internal; the message
  /// has the number and name of the call).
  Status finish(const Manifest &manifest, const ProgramSection &program);

private:
  friend class CheckedCall;

  BackendResources resources;
  Backend &backend;
  std::vector<SlotContent> slots;
  uint64_t calls = 0;
  bool isInBody = false, isInBlocks = false;
  /// In a loop over blocks: slots that were read or written, as limbs whose words are in order or
  /// as half forms, whose words may be anywhere. No slot may be both.
  std::vector<bool> usedInOrder, usedAsHalf;
  Status mistake;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_CALL_CHECKER_H
