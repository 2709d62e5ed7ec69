//===- rows.h - where each family's functions meet the table ----------------------------------===//
//
// One declaration per family and row; select.cpp builds the rows from them. Only kernels include
// this.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_ROWS_H
#define SLUICE_RUNTIME_KERNELS_ROWS_H

#include "runtime/kernels/kernels.h"

namespace sluice::kernels {

/// Fill a family's slots of `table` with the functions of one row.
namespace scalar {
void addNtt(KernelTable &table);
void addElementwise(KernelTable &table);
void addAutomorphism(KernelTable &table);
void addBaseConvert(KernelTable &table);
void addInnerProduct(KernelTable &table);
void addEmbedding(KernelTable &table);

/// The slots of the same names, for rows whose vectors are longer than a small limb.
void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src);
void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src);
size_t rowWords(unsigned logN);
/// The stages across the rows of the scalar row's half form, in place on `columns` >= 4 columns of
/// every row, without the division by N.
void forwardColumns(const LimbTables &limb, size_t rows, size_t columns, uint64_t *tile);
void inverseColumns(const LimbTables &limb, size_t rows, size_t columns, uint64_t *tile);
void embed(unsigned logSlots, double *values, const double *roots);
void unembed(unsigned logSlots, double *values, const double *roots);
void embedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots);
void unembedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots);

/// Moves complex number i, of n, to the reversal of its bits.
void permuteBitReversed(size_t n, double *values);
} // namespace scalar

/// The AVX2 row, for x86-64 builds.
namespace avx2 {
void addNtt(KernelTable &table);
void addElementwise(KernelTable &table);
void addBaseConvert(KernelTable &table);
void addInnerProduct(KernelTable &table);
void addEmbedding(KernelTable &table);
} // namespace avx2

/// The AVX-512 IFMA row, for x86-64 builds.
namespace avx512ifma {
void addNtt(KernelTable &table);
void addElementwise(KernelTable &table);
void addAutomorphism(KernelTable &table);
void addBaseConvert(KernelTable &table);
void addInnerProduct(KernelTable &table);
void addEmbedding(KernelTable &table);
} // namespace avx512ifma

/// The same sources over emulated instructions (avx512.h).
namespace avx512ifma_emulated {
void addNtt(KernelTable &table);
void addElementwise(KernelTable &table);
void addAutomorphism(KernelTable &table);
void addBaseConvert(KernelTable &table);
void addInnerProduct(KernelTable &table);
void addEmbedding(KernelTable &table);
} // namespace avx512ifma_emulated

} // namespace sluice::kernels

#endif // SLUICE_RUNTIME_KERNELS_ROWS_H
