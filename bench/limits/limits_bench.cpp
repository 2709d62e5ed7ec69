//===- limits_bench.cpp - what one core can do at best ----------------------------------------===//
//
// The rates that docs/roofline.md holds kernels to: 512-bit instructions in independent chains, and
// memory read and written in order or a line at a time. Instructions are left out where the
// processor has no AVX-512 IFMA. The clock is that of a chain of three-cycle multiplications.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/base/arena.h"
#include "runtime/base/cpu_features.h"

#include <benchmark/benchmark.h>
#include <string>

using namespace sluice;

namespace {

void runClock(benchmark::State &state) {
  uint64_t x = 3;
  for (auto _ : state)
    for (int i = 0; i < 1000; ++i) {
      x *= 0x9e3779b97f4a7c15;
      asm volatile("" : "+r"(x));
    }
  state.counters["GHz"] = benchmark::Counter(3e-9 * 1000 * static_cast<double>(state.iterations()),
                                             benchmark::Counter::kIsRate);
}

/// Eight chains of one instruction; the counter is how many are done in a nanosecond.
#define SLUICE_INSTRUCTION_BENCHMARK(name, instruction)                                            \
  [[gnu::target("avx512f,avx512dq,avx512ifma")]] void name(benchmark::State &state) {              \
    for (auto _ : state)                                                                           \
      for (int i = 0; i < 1000; ++i)                                                               \
        asm volatile(instruction(16) instruction(17) instruction(18) instruction(19)               \
                         instruction(20) instruction(21) instruction(22) instruction(23)::         \
                             : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",      \
                               "xmm23");                                                           \
    state.counters["per ns"] = benchmark::Counter(                                                 \
        8e-9 * 1000 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);       \
  }

#define SLUICE_ADD(n) "vpaddq %%zmm24, %%zmm" #n ", %%zmm" #n "\n"
#define SLUICE_AND(n) "vpandq %%zmm24, %%zmm" #n ", %%zmm" #n "\n"
#define SLUICE_MIN(n) "vpminuq %%zmm24, %%zmm" #n ", %%zmm" #n "\n"
#define SLUICE_SHIFT(n) "vpsrlq $12, %%zmm" #n ", %%zmm" #n "\n"
#define SLUICE_MADD(n) "vpmadd52luq %%zmm24, %%zmm25, %%zmm" #n "\n"
#define SLUICE_PERMUTE(n) "vpermt2q %%zmm24, %%zmm25, %%zmm" #n "\n"
SLUICE_INSTRUCTION_BENCHMARK(runAdd, SLUICE_ADD)
SLUICE_INSTRUCTION_BENCHMARK(runAnd, SLUICE_AND)
SLUICE_INSTRUCTION_BENCHMARK(runMin, SLUICE_MIN)
SLUICE_INSTRUCTION_BENCHMARK(runShift, SLUICE_SHIFT)
SLUICE_INSTRUCTION_BENCHMARK(runMadd, SLUICE_MADD)
SLUICE_INSTRUCTION_BENCHMARK(runPermute, SLUICE_PERMUTE)

constexpr size_t limbWords = size_t{1} << 16, rowWords = 256;

uint64_t sumInOrder(const AlignedWords &words) {
  uint64_t sums[lineWords] = {};
  for (size_t i = 0; i < words.size(); i += lineWords)
    for (size_t k = 0; k < lineWords; ++k)
      sums[k] += words.data()[i + k];
  return sums[0] + sums[7];
}

void writeInOrder(AlignedWords &words) {
  for (size_t i = 0; i < words.size(); ++i)
    words.data()[i] = i;
}

/// A column of lines of every limb, then the next column: as a transform across rows does.
void writeByColumns(AlignedWords &words) {
  for (size_t column = 0; column < rowWords; column += lineWords)
    for (size_t limb = 0; limb < words.size(); limb += limbWords)
      for (size_t row = 0; row < limbWords; row += rowWords)
        for (size_t k = 0; k < lineWords; ++k)
          words.data()[limb + row + column + k] = k;
}

/// Registers name/MiB, which goes over so much memory.
template <typename Function> void addMemoryBenchmark(const std::string &name, Function function) {
  for (size_t megabytes : {8, 128})
    benchmark::RegisterBenchmark((name + "/" + std::to_string(megabytes)).c_str(),
                                 [=](benchmark::State &state) {
                                   AlignedWords words(megabytes << 17);
                                   writeInOrder(words);
                                   for (auto _ : state) {
                                     function(words);
                                     benchmark::ClobberMemory();
                                   }
                                   state.SetBytesProcessed(
                                       static_cast<int64_t>(state.iterations()) *
                                       static_cast<int64_t>(megabytes << 20));
                                 })
        ->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char **argv) {
  benchmark::RegisterBenchmark("clock", runClock);
  if (cpuFeatures().hasAvx512Ifma) {
    benchmark::RegisterBenchmark("add", runAdd);
    benchmark::RegisterBenchmark("and", runAnd);
    benchmark::RegisterBenchmark("min", runMin);
    benchmark::RegisterBenchmark("shift", runShift);
    benchmark::RegisterBenchmark("madd52", runMadd);
    benchmark::RegisterBenchmark("permute", runPermute);
  }
  addMemoryBenchmark("readInOrder", [](AlignedWords &words) {
    uint64_t sum = sumInOrder(words);
    benchmark::DoNotOptimize(sum);
  });
  addMemoryBenchmark("writeInOrder", writeInOrder);
  addMemoryBenchmark("writeByColumns", writeByColumns);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
