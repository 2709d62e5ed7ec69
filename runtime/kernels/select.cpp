//===- select.cpp - the only place that chooses kernels ---------------------------------------===//
#include "runtime/base/cpu_features.h"
#include "runtime/kernels/rows.h"

#include <cstdlib>
#include <string>

namespace sluice::kernels {

namespace {

/// A row with what it needs. Where it is not supported, its functions are the scalar ones and
/// unused: even the code that fills them in may hold the row's instructions.
struct Row {
  KernelTable table;
  unsigned maxBits; // widest prime that it takes
  bool isSupported; // by this machine
  const char *needs;
};

KernelTable makeScalarTable() {
  KernelTable table{};
  table.name = "scalar";
  scalar::addNtt(table);
  scalar::addElementwise(table);
  scalar::addAutomorphism(table);
  scalar::addBaseConvert(table);
  scalar::addInnerProduct(table);
  scalar::addEmbedding(table);
  return table;
}

#if defined(__x86_64__)
/// Families without a version for the row stay scalar.
KernelTable makeAvx2Table() {
  KernelTable table = makeScalarTable();
  table.name = "avx2";
  if (!cpuFeatures().hasAvx2)
    return table;
  avx2::addNtt(table);
  avx2::addElementwise(table);
  avx2::addBaseConvert(table);
  avx2::addInnerProduct(table);
  avx2::addEmbedding(table);
  return table;
}

/// Families without a version for the row are AVX2's: whatever has AVX-512 runs those.
KernelTable makeAvx512IfmaTable() {
  KernelTable table = makeAvx2Table();
  table.name = "avx512ifma";
  if (!cpuFeatures().hasAvx512Ifma)
    return table;
  avx512ifma::addNtt(table);
  avx512ifma::addElementwise(table);
  avx512ifma::addAutomorphism(table);
  avx512ifma::addBaseConvert(table);
  avx512ifma::addInnerProduct(table);
  avx512ifma::addEmbedding(table);
  return table;
}
#endif

KernelTable makeEmulatedTable() {
  KernelTable table = makeScalarTable();
  table.name = "avx512ifma-emulated";
  table.isEmulated = true;
  avx512ifma_emulated::addNtt(table);
  avx512ifma_emulated::addElementwise(table);
  avx512ifma_emulated::addAutomorphism(table);
  avx512ifma_emulated::addBaseConvert(table);
  avx512ifma_emulated::addInnerProduct(table);
  avx512ifma_emulated::addEmbedding(table);
  return table;
}

/// All rows of this build from slowest to fastest, emulated ones first: the last that fits is
/// chosen.
const std::vector<Row> &rows() {
  static const std::vector<Row> all = {
      {makeEmulatedTable(), maxPrimeBits, true, "nothing"},
      {makeScalarTable(), maxPrimeBits, true, "nothing"},
#if defined(__x86_64__)
      {makeAvx2Table(), maxPrimeBits, cpuFeatures().hasAvx2, "AVX2, FMA and BMI2"},
      {makeAvx512IfmaTable(), maxPrimeBits, cpuFeatures().hasAvx512Ifma,
       "AVX-512 F, DQ, BW, VL and IFMA"},
#endif
  };
  return all;
}

std::string listSupportedRows() {
  std::string names;
  for (const Row &row : rows())
    if (row.isSupported)
      names += (names.empty() ? "" : ", ") + std::string(row.table.name);
  return names;
}

} // namespace

Expected<const KernelTable *> selectKernels(unsigned primeBitsMax) {
  const char *forced = std::getenv("SLUICE_CPU");
  const Row *chosen = nullptr;
  for (const Row &row : rows()) {
    if (!forced) {
      if (row.isSupported && row.maxBits >= primeBitsMax)
        chosen = &row;
    } else if (std::string(forced) == row.table.name) {
      chosen = &row;
    }
  }
  if (!chosen && !forced)
    return Status::error(StatusCode::unsupportedVersion,
                         "no kernels for primes of %u bits: the widest are %u", primeBitsMax,
                         maxPrimeBits);
  if (!chosen)
    return Status::error(StatusCode::invalidArgument,
                         "SLUICE_CPU is '%s', which names no kernels of this build; this machine "
                         "runs: %s",
                         forced, listSupportedRows().c_str());
  if (!chosen->isSupported)
    return Status::error(StatusCode::unsupportedVersion,
                         "SLUICE_CPU is '%s', which needs %s; this machine runs: %s", forced,
                         chosen->needs, listSupportedRows().c_str());
  if (chosen->maxBits < primeBitsMax)
    return Status::error(StatusCode::unsupportedVersion,
                         "SLUICE_CPU is '%s', whose primes have at most %u bits, not %u", forced,
                         chosen->maxBits, primeBitsMax);
  return &chosen->table;
}

const std::vector<const KernelTable *> &allKernelTables() {
  static const std::vector<const KernelTable *> tables = [] {
    std::vector<const KernelTable *> supported;
    for (const Row &row : rows())
      if (row.isSupported)
        supported.insert(std::string("scalar") == row.table.name ? supported.begin()
                                                                 : supported.end(),
                         &row.table);
    return supported;
  }();
  return tables;
}

} // namespace sluice::kernels
