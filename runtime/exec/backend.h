//===- backend.h - what the executor asks of a machine to compute on ------------------------===//
//
// The seam between exec and cpu or cuda: they include this page of exec and nothing else of it.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_BACKEND_H
#define SLUICE_RUNTIME_EXEC_BACKEND_H

#include "runtime/abi/launches.h"
#include "runtime/abi/sluice.h"
#include "runtime/base/arena.h"
#include "runtime/base/status.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/poly.h"
#include "runtime/ring/ring.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::exec {

/// A constant ready for kernels: row i is modulo limb limbs[i] of the ring, evaluation form.
struct EncodedConstant {
  std::vector<uint16_t> limbs;
  ring::Poly rows;
};

/// A constant for a backend that encodes it itself, to the same residues: limbs as above, and its
/// integer coefficients.
struct ConstantCoefficients {
  std::vector<uint16_t> limbs;
  ring::RoundedSlots coefficients;
};

/// What a program does on a device beside its code. The launches were checked: every number is
/// that of something in BackendResources.
struct DeviceProgram {
  LaunchList launches;
  std::vector<uint8_t> code; // for the device's loader
};

/// Both halves of an evaluation key, evaluation form: digitCount x limbs.size() rows of N words,
/// digit by digit; row i of each digit is modulo limb limbs[i] of the ring. Between two rows is a
/// line: all rows of a limb are read at once, and a power of two apart they would compete for the
/// same places of a cache.
struct EvaluationKey {
  std::vector<uint16_t> limbs;
  size_t digitCount = 0;
  size_t degree = 0;
  AlignedWords b, a;

  size_t rowOffset(size_t digit, size_t row) const {
    assert(digit < digitCount && row < limbs.size());
    return (digit * limbs.size() + row) * (degree + lineWords);
  }
  /// Words of a half, gaps included.
  size_t halfWords() const { return digitCount * limbs.size() * (degree + lineWords); }
};

/// All that compiled code refers to by number. A backend keeps its own copies or shares these.
struct BackendResources {
  std::shared_ptr<const ring::Ring> ring; // its limb table is the artifact's
  uint32_t arenaSlots = 0;
  uint32_t scratchSlots = 0; // of each thread; the first thread's follow the arena
  uint32_t stages = 0;       // that time is counted for
  std::vector<std::shared_ptr<const EncodedConstant>> constants;
  // In place of those, for backends that run launches.
  std::vector<std::shared_ptr<const ConstantCoefficients>> coefficients;
  std::vector<std::shared_ptr<const EvaluationKey>> keys;
  std::shared_ptr<const DeviceProgram> device; // null: the program has code for CPUs alone
};

/// How much one function of functions.def, or one kernel of a device, was used.
struct FunctionUsage {
  const char *name = "";
  uint64_t calls = 0;
  uint64_t limbs = 0; // written by these calls
  uint64_t nanoseconds =
      0; // of all threads together in a body of parallel_for, whose own are not counted
  uint64_t bytes = 0; // read and written, each operand of a limb once; 0 where nobody counts
};

/// An arena with what computes in it. For one run at a time.
class Backend {
public:
  virtual ~Backend() = default;

  /// Where and with what it computes: "cpu, avx512ifma, 2 threads".
  virtual std::string description() const = 0;
  /// Bytes of the arena.
  virtual uint64_t arenaBytes() const = 0;

  /// Copies limb k of `poly` into arena slot slots[k]; slots.size() = poly.limbCount.
  virtual Status write(std::span<const uint32_t> slots, ring::ConstPolyView poly) = 0;
  /// The reverse.
  virtual Status read(std::span<const uint32_t> slots, ring::PolyView poly) = 0;

  /// Carries out the program, whose code is `entry`, and waits until it is done. A backend that
  /// runs launches does not call it. Gives what the code returned: 0 if all was well.
  virtual Expected<int32_t> run(sluice_program_run_fn entry) = 0;

  /// In an order that is always the same; since resetUsage().
  virtual std::span<const FunctionUsage> usage() const = 0;
  /// Nanoseconds that passed in each stage of the program; since resetUsage().
  virtual std::span<const uint64_t> stageUsage() const = 0;
  virtual void resetUsage() = 0;
};

/// A backend that compiled code calls.
class CalledBackend : public Backend {
public:
  /// What compiled code is called with; both stay where they are.
  virtual sluice_context *context() = 0;
  virtual const sluice_functions &functions() const = 0;
  /// Waits for the calls since the last one, and says whether they succeeded.
  virtual Status finish() = 0;

  Expected<int32_t> run(sluice_program_run_fn entry) override {
    const int32_t result = entry(context(), &functions());
    SLUICE_RETURN_IF_ERROR(finish());
    return result;
  }
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_BACKEND_H
