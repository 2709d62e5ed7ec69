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
  uint32_t element = 1; // in scratch of a loop over blocks: the block it is, as for select_block
};

class CallChecker {
public:
  /// Calls go on to `backend`, which has the same resources and outlives the checker.
  CallChecker(BackendResources resources, CalledBackend &backend);

  /// What compiled code is called with in place of the backend's.
  sluice_context *context() { return reinterpret_cast<sluice_context *>(this); }
  const sluice_functions &functions() const;
  /// Of every slot of the arena, then of one thread's scratch slots.
  std::span<const SlotContent> contents() const { return slots; }

  /// Carries out a loop over limbs, or over their blocks: then no call may move words across a
  /// limb.
  void runBody(uint32_t n, sluice_limb_body body, bool inBlocks);
  bool inBody() const { return isInBody; }
  /// The calls that follow work on the block of this element.
  void selectBlock(uint32_t element);

  /// Forgets everything but the inputs, which are in their slots.
  void begin(const Manifest &manifest, const ProgramSection &program);
  /// The first mistake since begin(), or an output that is not in its slots (internal; the message
  /// has the number and name of the call).
  Status finish(const Manifest &manifest, const ProgramSection &program);

  /// Carries out a program under check; gives what its code returned. Fails as finish() and as the
  /// backend does.
  Expected<int32_t> run(sluice_program_run_fn entry, const Manifest &manifest,
                        const ProgramSection &program);

private:
  friend class CheckedCall;

  /// How a slot was used in a loop over blocks: as limb whose words are in order or as half form,
  /// whose words may be anywhere, and at which blocks. No slot may be both; one that is written is
  /// at one block only.
  struct BlockUse {
    bool isInOrder = false, isHalf = false, isWritten = false;
    uint32_t element = 0; // of the last use; 0 before the first
    bool isAtOthers = false;
  };

  BackendResources resources;
  CalledBackend &backend;
  std::vector<SlotContent> slots;
  uint64_t calls = 0;
  bool isInBody = false, isInBlocks = false;
  uint32_t element = 1;            // of the block that calls of a body work on
  std::vector<BlockUse> blockUses; // of each slot, in one loop
  Status mistake;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_CALL_CHECKER_H
