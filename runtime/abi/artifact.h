//===- artifact.h - what an executor needs to know about a program --------------------------===//
//
// Plain data, field for field the section `program` of docs/formats.md. A ProgramSection that came
// from exec::readProgramSection has passed every check listed there.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_ARTIFACT_H
#define SLUICE_RUNTIME_ABI_ARTIFACT_H

#include "runtime/abi/dft.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// Version of the program section's JSON that this source reads.
inline constexpr uint32_t programSectionVersion = 1;

/// Bounds that the reader enforces before it allocates.
namespace limits {
inline constexpr uint64_t programSectionBytes = uint64_t(64) << 20;
inline constexpr uint64_t constantSectionBytes = uint64_t(16) << 30;
inline constexpr uint64_t codeBytes = uint64_t(256) << 20;
inline constexpr uint64_t arenaBytes = uint64_t(1) << 40;
inline constexpr uint32_t scratchSlots = 1u << 16; // of one thread
inline constexpr uint32_t polynomials = 3;         // of one ciphertext
inline constexpr uint32_t constants = 1u << 20;
inline constexpr uint32_t stages = 256;
} // namespace limits

/// Where the residues of one input or output stand in the arena.
struct ProgramPort {
  uint32_t level = 0;
  /// slots[p][k]: the arena slot of limb k (in the level's order) of polynomial p.
  std::vector<std::vector<uint32_t>> slots;
};

/// Where a constant's values come from.
enum class ConstantKind : uint8_t {
  slots,       // doubles in the section `constant`
  dftDiagonal, // computed when the program is loaded
};

inline constexpr ConstantKind constantKinds[] = {ConstantKind::slots, ConstantKind::dftDiagonal};

/// As files write it.
constexpr const char *constantKindName(ConstantKind kind) {
  return kind == ConstantKind::slots ? "slots" : "dft_diagonal";
}

/// One constant: `count` values, stretched over its slots, encoded when the program is loaded.
struct ProgramConstant {
  ConstantKind kind = ConstantKind::slots;
  uint64_t offset = 0; // of the first double in section `constant`, in doubles
  uint64_t count = 0;  // values, a power of two, at most its slots; two doubles each if complex
  bool isComplex = false;
  double scaleHigh = 1.0; // the scale is scaleHigh + scaleLow
  double scaleLow = 0.0;
  std::vector<uint16_t> limbs; // row i is encoded modulo limb limbs[i]
  uint64_t slots = 0;          // after which it repeats, up to N/2; 0: the packing length
  DftDiagonal diagonal = {};   // of kind dftDiagonal, which is complex
};

struct ProgramSection {
  uint32_t abi = 0;   // SLUICE_ABI_VERSION of the code
  std::string target; // "cpu"
  uint32_t arenaSlots = 0;
  uint32_t scratchSlots = 0;        // of each thread, for bodies of loops
  std::vector<ProgramPort> inputs;  // as the manifest's inputs
  std::vector<ProgramPort> outputs; // as the manifest's outputs
  std::vector<ProgramConstant> constants;
  std::vector<std::string> stages; // names of the parts that the code's time is counted for
  std::vector<uint32_t>
      keys; // keys[k]: index in the manifest's evaluation_keys of the code's key k
};

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_ARTIFACT_H
