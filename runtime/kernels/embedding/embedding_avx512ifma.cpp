//===- embedding_avx512ifma.cpp - the embedding in double-double ------------------------------===//
//------===//
#include "runtime/kernels/avx512.h"
#include "runtime/kernels/embedding/embedding_wide.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

void embedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  if (logSlots < 6) // the square of the lanes
    return scalar::embedWide(logSlots, values, rootCount, roots);
  embedPlanes<EightReals>({values, size_t{1} << logSlots}, {roots, rootCount});
}

void unembedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  if (logSlots < 6)
    return scalar::unembedWide(logSlots, values, rootCount, roots);
  unembedPlanes<EightReals>({values, size_t{1} << logSlots}, {roots, rootCount});
}

} // namespace

void addEmbedding(KernelTable &table) {
  table.embedWide = embedWide;
  table.unembedWide = unembedWide;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
