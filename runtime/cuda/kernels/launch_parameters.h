//===- launch_parameters.h - how the kernels of a program are launched ------------------------===//
//
// Shared by the backend, which fills these and counts blocks, and by the kernels. Addresses are on
// the device. All kernels take pointers to arrays of these structures, which stay on the device for
// the life of a program.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_PARAMETERS_H
#define SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_PARAMETERS_H

#include "runtime/cuda/kernels/limb_constants.h"

namespace sluice::cuda {

/// Words of a row of the half form; of N if that is less.
inline constexpr unsigned logRowWords = 8;

/// log2 of the words of a row, and of the number of rows, for a ring of degree 2^logN.
SLUICE_CONSTANT unsigned logRowOf(unsigned logN) { return logN < logRowWords ? logN : logRowWords; }
SLUICE_CONSTANT unsigned logRowsOf(unsigned logN) { return logN - logRowOf(logN); }

/// Blocks of threads along a limb, and threads of one.
struct Geometry {
  uint32_t blocksPerLimb, threads;
};

/// Of limb kernels of kind `elements`: two neighbouring positions a thread.
SLUICE_CONSTANT Geometry elementsGeometry(unsigned logN) {
  const uint32_t words = 1u << logN, perBlock = words < 256 ? words : 256;
  return {words / perBlock, perBlock / 2};
}

/// Of limb kernels of kind `rows`: eight words a thread.
SLUICE_CONSTANT Geometry rowsGeometry(unsigned logN) {
  const uint32_t words = 1u << logN, perBlock = words < 1024 ? words : 1024;
  return {words / perBlock, perBlock / 8};
}

/// Blocks that have a tile of so many columns each, and eight rows a thread; fewer rows take one
/// thread a column, and with one row it is a tile of words.
SLUICE_CONSTANT Geometry tileGeometry(unsigned logN, uint32_t columns) {
  const uint32_t rows = 1u << logRowsOf(logN);
  return {(1u << logRowOf(logN)) / columns, columns * (rows < 8 ? 1 : rows / 8)};
}

/// Of kernels that transform columns: 64 bytes of a row.
inline constexpr uint32_t transformColumns = 8;
SLUICE_CONSTANT Geometry columnsGeometry(unsigned logN) {
  return tileGeometry(logN, transformColumns);
}

/// Of base conversions, whose blocks hold sources of a tile in shared memory.
inline constexpr uint32_t conversionColumns = 4;
SLUICE_CONSTANT Geometry conversionGeometry(unsigned logN) {
  return tileGeometry(logN, conversionColumns);
}

/// A source limb of a base conversion, or the operand of an inverse transform.
struct SourceParameters {
  const LimbConstants *limb;
  const uint64_t *source; // slot: of the half form or, without columns, of coefficients
  uint64_t *destination;  // N words: residues in [0, q), coefficient order
  Factor factor;          // that the result is multiplied by
  Factor rootFactor;      // the same times inverseRoots[1]; unused without columns
};

/// The factor D / q_k mod t of source k for destination t: in [0, t), and in (-t/2, t/2).
struct ConversionFactor {
  uint64_t value;
  double centred;
};

/// A destination limb of a base conversion.
struct DestinationParameters {
  const LimbConstants *limb;
  uint64_t *destination;           // slot: half form, or coefficients without columns
  const ConversionFactor *factors; // one for each source
  ConversionFactor minusProduct;   // -D mod t
};

/// A tile of columns of some destinations of a base conversion. The block holds the first sources
/// in shared memory and reads the others again for each two destinations.
struct ConversionPart {
  const SourceParameters *sources;
  const DestinationParameters *destinations;
  uint32_t sourceCount, destinationCount, heldCount, tile;
};

/// What a block does, one part after the other.
struct ConversionShare {
  const ConversionPart *parts;
  uint64_t count;
};

/// Destinations whose parameters a block has in shared memory at once, and bytes for the field of
/// one.
inline constexpr uint32_t destinationsAtHand = 16, fieldBytes = 64;
/// Bytes of shared memory that a block has for each source that it holds.
SLUICE_CONSTANT uint32_t heldBytes(unsigned logN) {
  return conversionColumns * sizeof(uint64_t) << logRowsOf(logN);
}
/// What a launch of conversions must give a block: for these, and for what destinations need.
SLUICE_CONSTANT uint32_t conversionBytes(unsigned logN, uint32_t heldCount, uint32_t sourceCount) {
  return heldCount * heldBytes(logN) +
         destinationsAtHand *
             (fieldBytes + static_cast<uint32_t>((2 + sourceCount) * sizeof(uint64_t)));
}

/// A limb of a forward transform.
struct TransformParameters {
  const LimbConstants *limb;
  const uint64_t *source;
  uint64_t *destination;
};

/// A limb of a constant: signed coefficients to residues.
struct ReduceParameters {
  const LimbConstants *limb;
  const int64_t *low, *high; // coefficient k is high[k] * 2^60 + low[k]; `high` may be null
  uint64_t *destination;     // N words, coefficient form
  uint64_t stride;           // coefficient k is word k * stride; the others are zero
};

// Kernels and their one argument; the geometry gives threads and the grid's first dimension. The
// second is the number of limbs, as which the array that the argument points to has elements. Of
// conversions the geometry gives the threads only: the first is the number of shares, as the array
// has, and the second 1.
//
//  sluice_inverse_columns  (const SourceParameters *)                     columns
//      the stages across rows that end an inverse transform, times factor. With one row, that is
//      only the product by factor (the rows then did all, the product by N^-1 included).
//  sluice_scale            (const SourceParameters *)                     elements
//      coefficient form: destination = source * factor
//  sluice_convert_columns  (const ConversionShare *)                      conversion
//      what the two above left in the sources' `destination` to the half form of the destinations
//  sluice_convert          (const ConversionShare *)                      conversion
//      the same to coefficients
//  sluice_forward_columns  (const TransformParameters *)                  columns
//      coefficients to half form; in place or not. With one row a copy.
//  sluice_ntt_rows         (const TransformParameters *)                  rows
//      half to evaluation form; in place or not
//  sluice_intt_rows        (const TransformParameters *)                  rows
//      evaluation to half form; in place or not
//  sluice_reduce           (const ReduceParameters *)                     elements
//  limb_kernel_<k>         (const uint64_t *)                             its kind
//      its parameters of each limb

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_PARAMETERS_H
