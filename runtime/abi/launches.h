//===- launches.h - the launch list of a program for CUDA devices -----------------------------===//
//
// What compiled code does on a GPU: a straight list of launches, in the section `launches` of an
// artifact, of kernels that the section `device_code` holds. Plain data; docs/formats.md has the
// bytes. The arena, constants, keys and limb table are those of the section `program`.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_LAUNCHES_H
#define SLUICE_RUNTIME_ABI_LAUNCHES_H

#include <cstdint>
#include <vector>

namespace sluice {

inline constexpr uint64_t launchListMagic = 0x31686c65'63756c73; // "slucelh1"
inline constexpr uint32_t launchListVersion = 1;

namespace limits {
inline constexpr uint64_t launchBytes = uint64_t(256) << 20;
inline constexpr uint64_t deviceCodeBytes = uint64_t(256) << 20;
inline constexpr uint32_t limbKernels = 1u << 16;
inline constexpr uint32_t launches = 1u << 20;
inline constexpr uint32_t kernelParameters = 1u << 14; // of one limb
inline constexpr uint32_t launchLimbs = 65535; // of one launch: blocks of a grid's second dimension
} // namespace limits

/// What a parameter of a limb kernel is: the top byte of its word. The rest is its number.
enum class LaunchParameterKind : uint8_t {
  scalar,      // a residue or a Galois element, below 2^50: handed on as it is
  limb,        // of the limb table: becomes the address of its constants on the device
  slot,        // of the arena: becomes an address
  constantRow, // constant << 16 | row: becomes an address
  keyRowB,     // key << 32 | digit << 16 | row: of the key's half b, becomes an address
  keyRowA,     // the same of half a
};
inline constexpr uint8_t launchParameterKinds = 6;
inline constexpr unsigned launchParameterShift = 56;

constexpr uint64_t launchParameter(LaunchParameterKind kind, uint64_t number) {
  return uint64_t(kind) << launchParameterShift | number;
}

/// How a kernel's threads divide a limb.
enum class LimbKernelKind : uint8_t {
  elements, // position by position
  rows,     // in rows of a half transform
};

/// Kernel k of the device code, `limb_kernel_<k>`. Its parameters of one limb are words: parameter
/// 0 is a limb, 1 ... outputs are the slots that it writes, all others only read.
struct LimbKernel {
  LimbKernelKind kind = LimbKernelKind::elements;
  uint32_t parameters = 0; // of one limb
  uint32_t outputs = 0;
};

enum class LaunchKind : uint8_t {
  limbKernel,         // kernel `number` for each of its limbs
  baseConvert,        // functions.def base_convert, any number of them
  baseConvertColumns, // functions.def base_convert_columns, any number of them
  ntt,                // functions.def ntt
  intt,               // functions.def intt
  beginStage,         // functions.def begin_stage
};
inline constexpr uint8_t launchKinds = 6;

/// A limb of an operand that is no kernel parameter.
struct LaunchLimb {
  uint32_t limb = 0, slot = 0;
};

/// Limbs that one base conversion writes and reads.
struct ConversionSize {
  uint32_t destinations = 0, sources = 0;
};

/// All limbs run at once, in any order. Base conversions read all their sources before they write:
/// one may write what an earlier one of the launch reads.
struct Launch {
  LaunchKind kind = LaunchKind::limbKernel;
  uint32_t number = 0;              // limbKernel: of the kernel; beginStage: of the stage
  uint32_t limbs = 0;               // limbKernel: how many
  std::vector<uint64_t> parameters; // limbKernel: limb by limb
  std::vector<LaunchLimb> destinations, sources; // all others
  /// Base conversions: of each, whose limbs follow one another in `destinations` and `sources`.
  std::vector<ConversionSize> conversions;
};

constexpr bool isConversion(LaunchKind kind) {
  return kind == LaunchKind::baseConvert || kind == LaunchKind::baseConvertColumns;
}

struct LaunchList {
  std::vector<LimbKernel> kernels;
  std::vector<Launch> launches;
};

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_LAUNCHES_H
