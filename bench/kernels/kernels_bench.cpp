//===- kernels_bench.cpp - the time of every kernel of every row ------------------------------===//
//
// Enumerates the table: bench-kernels --benchmark_filter='scalar/ntt'. Names are row/kernel/log
// N[/sources/destinations]. Emulated rows are left out. Inputs are 50-bit limbs, on one thread.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/base/arena.h"
#include "runtime/kernels/kernels.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"
#include "runtime/ring/ring.h"

#include <benchmark/benchmark.h>
#include <map>
#include <numeric>
#include <random>
#include <string>

using namespace sluice;
using kernels::KernelTable;

namespace {

/// A ring of `limbCount` 50-bit limbs, made once.
const ring::Ring &ringOf(unsigned logN, size_t limbCount) {
  static std::map<std::pair<unsigned, size_t>, ring::Ring> rings;
  auto found = rings.find({logN, limbCount});
  if (found == rings.end()) {
    std::vector<uint64_t> primes = *ring::nttPrimesBelow(logN, 50, limbCount);
    found = rings.emplace(std::pair(logN, limbCount), *ring::Ring::create(logN, primes)).first;
  }
  return found->second;
}

/// Limbs of residues that are below every prime used here, a line apart, as a backend keeps them.
class RandomLimbs {
public:
  RandomLimbs(unsigned logN, size_t limbCount)
      : stride((size_t{1} << logN) + lineWords), words(limbCount * stride) {
    std::mt19937_64 generator(1);
    for (uint64_t &word : words.span())
      word = generator() >> 15;
  }

  uint64_t *limb(size_t number) { return words.data() + number * stride; }

private:
  size_t stride;
  AlignedWords words;
};

/// Registers row/name/logN, which calls function(table, limb, dst, a, b) on one limb each time.
template <typename Function> void addLimbBenchmark(const char *name, Function function) {
  for (const KernelTable *table : kernels::allKernelTables()) {
    if (table->isEmulated)
      continue;
    for (unsigned logN : {13u, 14u, 15u, 16u}) {
      std::string label = std::string(table->name) + "/" + name + "/" + std::to_string(logN);
      benchmark::RegisterBenchmark(label.c_str(), [=](benchmark::State &state) {
        const kernels::LimbTables &limb = ringOf(logN, 1).tables(0);
        RandomLimbs limbs(logN, 3);
        uint64_t *dst = limbs.limb(0), *a = limbs.limb(1), *b = limbs.limb(2);
        for (auto _ : state) {
          function(*table, limb, size_t{1} << logN, dst, a, b);
          benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() << logN);
      })->Unit(benchmark::kMicrosecond);
    }
  }
}

void addOneLimbBenchmarks() {
  using Table = const KernelTable &;
  using Limb = const kernels::LimbTables &;
  using Out = uint64_t *;
  using In = const uint64_t *;
  addLimbBenchmark("ntt",
                   [](Table t, Limb limb, size_t, Out dst, In a, In) { t.ntt(limb, dst, a); });
  addLimbBenchmark("intt",
                   [](Table t, Limb limb, size_t, Out dst, In a, In) { t.intt(limb, dst, a); });
  addLimbBenchmark("add", [](Table t, Limb limb, size_t n, Out dst, In a, In b) {
    t.add(limb.prime, n, dst, a, b);
  });
  addLimbBenchmark("sub", [](Table t, Limb limb, size_t n, Out dst, In a, In b) {
    t.sub(limb.prime, n, dst, a, b);
  });
  addLimbBenchmark("negate", [](Table t, Limb limb, size_t n, Out dst, In a, In) {
    t.negate(limb.prime, n, dst, a);
  });
  addLimbBenchmark("mul", [](Table t, Limb limb, size_t n, Out dst, In a, In b) {
    t.mul(limb.prime, n, dst, a, b);
  });
  addLimbBenchmark("mac", [](Table t, Limb limb, size_t n, Out dst, In a, In b) {
    t.mac(limb.prime, n, dst, dst, a, b);
  });
  addLimbBenchmark("mulScalar", [](Table t, Limb limb, size_t n, Out dst, In a, In) {
    t.mulScalar(limb.prime, n, dst, a, 12345678901234);
  });
  addLimbBenchmark("addScalar", [](Table t, Limb limb, size_t n, Out dst, In a, In) {
    t.addScalar(limb.prime, n, dst, a, 12345678901234);
  });
  addLimbBenchmark("subMulScalar", [](Table t, Limb limb, size_t n, Out dst, In a, In b) {
    t.subMulScalar(limb.prime, n, dst, a, b, 12345678901234);
  });
}

void addAutomorphismBenchmarks() {
  for (unsigned logN : {13u, 14u, 15u, 16u}) {
    auto permutation = std::make_shared<std::vector<uint32_t>>(ring::evalPermutation(logN, 5));
    for (const KernelTable *table : kernels::allKernelTables()) {
      if (table->isEmulated)
        continue;
      std::string label = std::string(table->name) + "/automorphism/" + std::to_string(logN);
      benchmark::RegisterBenchmark(label.c_str(), [=](benchmark::State &state) {
        RandomLimbs limbs(logN, 2);
        const size_t n = size_t{1} << logN;
        for (auto _ : state) {
          table->automorphism(n, limbs.limb(0), limbs.limb(1), permutation->data());
          benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() << logN);
      })->Unit(benchmark::kMicrosecond);
    }
  }
}

/// Between coefficient forms, or with the columns of the transforms around it.
void runBaseConvert(benchmark::State &state, const KernelTable &table, unsigned logN,
                    size_t sourceCount, size_t destinationCount, bool ofColumns) {
  const ring::Ring &ring = ringOf(logN, sourceCount + destinationCount);
  std::vector<uint16_t> limbs(ring.limbCount());
  std::iota(limbs.begin(), limbs.end(), uint16_t{0});
  const std::span<const uint16_t> all(limbs);
  const ring::BaseConversion conversion(*ring::Basis::create(ring, all.first(sourceCount)),
                                        *ring::Basis::create(ring, all.subspan(sourceCount)));
  RandomLimbs operands(logN, limbs.size()), halves(logN, sourceCount);
  std::vector<const uint64_t *> sources;
  std::vector<uint64_t *> destinations;
  for (size_t limb = 0; limb < limbs.size(); ++limb) {
    if (limb < sourceCount)
      sources.push_back(operands.limb(limb));
    else
      destinations.push_back(operands.limb(limb));
  }
  AlignedWords scratch(conversion.tables().scratchWords());
  if (ofColumns)
    for (size_t k = 0; k < sourceCount; ++k) {
      uint64_t *half = halves.limb(k);
      table.inttRows(ring.tables(k), 0, size_t{1} << logN, half, sources[k]);
      sources[k] = half;
    }
  for (auto _ : state) {
    if (ofColumns)
      table.baseConvertColumns(conversion.tables(), 0, table.rowWords(logN), destinations.data(),
                               sources.data(), scratch.data());
    else
      table.baseConvert(conversion.tables(), size_t{1} << logN, destinations.data(),
                        sources.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed((state.iterations() * (sourceCount * destinationCount)) << logN);
}

/// The rest of an NTT, of what a conversion left.
void runNttRows(benchmark::State &state, const KernelTable &table, unsigned logN) {
  const ring::Ring &ring = ringOf(logN, 2);
  const uint16_t from[] = {0}, to[] = {1};
  const ring::BaseConversion conversion(*ring::Basis::create(ring, from),
                                        *ring::Basis::create(ring, to));
  RandomLimbs limbs(logN, 3);
  AlignedWords scratch(conversion.tables().scratchWords());
  const size_t n = size_t{1} << logN;
  uint64_t *rows = limbs.limb(1), *half = limbs.limb(2);
  table.inttRows(ring.tables(0), 0, n, rows, limbs.limb(0));
  const uint64_t *source = rows;
  table.baseConvertColumns(conversion.tables(), 0, table.rowWords(logN), &half, &source,
                           scratch.data());
  for (auto _ : state) {
    table.nttRows(ring.tables(1), 0, n, limbs.limb(0), half);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() << logN);
}

void runInttRows(benchmark::State &state, const KernelTable &table, unsigned logN) {
  const ring::Ring &ring = ringOf(logN, 1);
  RandomLimbs limbs(logN, 2);
  const size_t n = size_t{1} << logN;
  for (auto _ : state) {
    table.inttRows(ring.tables(0), 0, n, limbs.limb(1), limbs.limb(0));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() << logN);
}

/// Products of one factor with two, summed: of digits with a key, of diagonals with ciphertexts.
struct Products {
  RandomLimbs limbs;
  std::vector<const uint64_t *> shared, first, second;

  Products(unsigned logN, size_t count) : limbs(logN, 3 * count + 2) {
    for (size_t j = 0; j < count; ++j) {
      shared.push_back(limbs.limb(3 * j + 2));
      first.push_back(limbs.limb(3 * j + 3));
      second.push_back(limbs.limb(3 * j + 4));
    }
  }
};

void runInnerProduct(benchmark::State &state, const KernelTable &table, unsigned logN,
                     size_t digitCount) {
  Products products(logN, digitCount);
  for (auto _ : state) {
    table.innerProduct(ringOf(logN, 1).modulus(0).constants(), size_t{1} << logN,
                       products.limbs.limb(0), products.limbs.limb(1), digitCount,
                       products.shared.data(), products.first.data(), products.second.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed((state.iterations() * 2 * digitCount) << logN);
}

void runWeightedSum(benchmark::State &state, const KernelTable &table, unsigned logN,
                    size_t count) {
  Products products(logN, count);
  uint64_t *dst0 = products.limbs.limb(0), *dst1 = products.limbs.limb(1);
  for (auto _ : state) {
    table.weightedSum(ringOf(logN, 1).modulus(0).constants(), size_t{1} << logN, dst0, dst1, dst0,
                      dst1, count, products.shared.data(), products.first.data(),
                      products.second.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed((state.iterations() * 2 * count) << logN);
}

void runEmbedding(benchmark::State &state, const KernelTable &table, unsigned logN) {
  const ring::Ring &ring = ringOf(logN, 1);
  std::vector<double> values(ring.degree(), 1.0);
  for (auto _ : state) {
    table.unembed(logN - 1, values.data(), ring.embeddingRoots());
    table.embed(logN - 1, values.data(), ring.embeddingRoots());
    benchmark::ClobberMemory();
  }
}

void runWideEmbedding(benchmark::State &state, const KernelTable &table, unsigned logN) {
  const ring::Ring &ring = ringOf(logN, 1);
  std::vector<double> values(2 * ring.degree(), 0.0);
  std::fill_n(values.begin(), ring.degree() / 2, 1.0);
  for (auto _ : state) {
    table.unembedWide(logN - 1, values.data(), ring.degree() / 2, ring.wideEmbeddingRoots());
    table.embedWide(logN - 1, values.data(), ring.degree() / 2, ring.wideEmbeddingRoots());
    benchmark::ClobberMemory();
  }
}

void addGroupBenchmarks() {
  for (const KernelTable *table : kernels::allKernelTables()) {
    if (table->isEmulated)
      continue;
    for (unsigned logN : {14u, 16u}) {
      const std::string row = table->name, degree = "/" + std::to_string(logN);
      for (bool ofColumns : {false, true})
        for (size_t sources : {1, 3, 8})
          for (size_t destinations : {4, 16})
            benchmark::RegisterBenchmark(
                (row + (ofColumns ? "/baseConvertColumns" : "/baseConvert") + degree + "/" +
                 std::to_string(sources) + "/" + std::to_string(destinations))
                    .c_str(),
                [=](benchmark::State &state) {
                  runBaseConvert(state, *table, logN, sources, destinations, ofColumns);
                })
                ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(
          (row + "/nttRows" + degree).c_str(),
          [=](benchmark::State &state) { runNttRows(state, *table, logN); })
          ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(
          (row + "/inttRows" + degree).c_str(),
          [=](benchmark::State &state) { runInttRows(state, *table, logN); })
          ->Unit(benchmark::kMicrosecond);
      for (size_t digits : {3, 8})
        benchmark::RegisterBenchmark(
            (row + "/innerProduct" + degree + "/" + std::to_string(digits)).c_str(),
            [=](benchmark::State &state) { runInnerProduct(state, *table, logN, digits); })
            ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(
          (row + "/weightedSum" + degree + "/8").c_str(),
          [=](benchmark::State &state) { runWeightedSum(state, *table, logN, 8); })
          ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(
          (row + "/unembedAndEmbed" + degree).c_str(),
          [=](benchmark::State &state) { runEmbedding(state, *table, logN); })
          ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(
          (row + "/unembedAndEmbedWide" + degree).c_str(),
          [=](benchmark::State &state) { runWideEmbedding(state, *table, logN); })
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  addOneLimbBenchmarks();
  addAutomorphismBenchmarks();
  addGroupBenchmarks();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
