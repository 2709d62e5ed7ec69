//===- backend.cpp - exec's backend over the table of kernels -------------------------------===//
//
// Each function of functions.def looks up what its numbers name, cuts the work for the threads, and
// calls one kernel.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/cpu/backend.h"

#include "runtime/abi/manifest.h"
#include "runtime/cpu/limb_views.h"

#include <cstring>

namespace sluice::cpu {
namespace {

using exec::EvaluationKey;

/// For functions that a body of parallel_for_blocks cannot call.
template <typename View> void refuse(const View &v, const char *function) {
  v.c.fail(Status::error(StatusCode::internal,
                         "%s was called for a part of a limb, but works on whole ones", function));
}

//===- Changes of form, copies, permutations: whole limbs ===//

template <typename View>
void applyTransform(const View &v,
                    void (*kernel)(const kernels::LimbTables &, uint64_t *, const uint64_t *),
                    uint32_t n, const uint16_t *limbs, const uint32_t *dst, const uint32_t *src) {
  parallelFor(v.c.pool, n,
              [&](size_t i) { kernel(v.c.ring.tables(limbs[i]), v.slot(dst[i]), v.slot(src[i])); });
}

template <typename View>
void sluice_cpu_ntt(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *src) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "ntt");
  Call call(v, number_ntt, n);
  applyTransform(v, v.c.kernel.ntt, n, limbs, dst, src);
}

template <typename View>
void sluice_cpu_intt(sluice_context *context, uint32_t n, const uint16_t *limbs,
                     const uint32_t *dst, const uint32_t *src) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "intt");
  Call call(v, number_intt, n);
  applyTransform(v, v.c.kernel.intt, n, limbs, dst, src);
}

template <typename View>
void sluice_cpu_ntt_rows(sluice_context *context, uint32_t n, const uint16_t *limbs,
                         const uint32_t *dst, const uint32_t *src) {
  const View &v = View::of(context);
  Call call(v, number_ntt_rows, n);
  v.forEachLimb(n, [&](size_t i, size_t begin, size_t words) {
    v.c.kernel.nttRows(v.c.ring.tables(limbs[i]), begin, words, v.slot(dst[i]) + begin,
                       v.slot(src[i]));
  });
}

template <typename View>
void sluice_cpu_intt_rows(sluice_context *context, uint32_t n, const uint16_t *limbs,
                          const uint32_t *dst, const uint32_t *src) {
  const View &v = View::of(context);
  Call call(v, number_intt_rows, n);
  v.forEachLimb(n, [&](size_t i, size_t begin, size_t words) {
    v.c.kernel.inttRows(v.c.ring.tables(limbs[i]), begin, words, v.slot(dst[i]),
                        v.slot(src[i]) + begin);
  });
}

template <typename View>
void sluice_cpu_copy(sluice_context *context, uint32_t n, const uint32_t *dst,
                     const uint32_t *src) {
  const View &v = View::of(context);
  Call call(v, number_copy, n);
  v.forEachLimb(n, [&](size_t i, size_t begin, size_t words) {
    if (dst[i] != src[i])
      std::memcpy(v.slot(dst[i]) + begin, v.slot(src[i]) + begin, words * sizeof(uint64_t));
  });
}

template <typename View>
void sluice_cpu_automorphism(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *src, uint32_t element) {
  const View &v = View::of(context);
  Call call(v, number_automorphism, n);
  const uint32_t *permutation = v.c.memory.permutation(element);
  v.forEachLimb(n, [&](size_t i, size_t begin, size_t words) {
    v.c.kernel.automorphism(words, v.slot(dst[i]) + begin, v.slotWith(src[i], permutation[begin]),
                            permutation + begin);
  });
}

//===- Element by element: blocks ===//

using BinaryKernel = void (*)(const PrimeConstants &, size_t, uint64_t *, const uint64_t *,
                              const uint64_t *);
using ScalarKernel = void (*)(const PrimeConstants &, size_t, uint64_t *, const uint64_t *,
                              uint64_t);

template <typename View>
void applyBinary(const View &v, BinaryKernel kernel, uint32_t n, const uint16_t *limbs,
                 const uint32_t *dst, const uint32_t *a, const uint32_t *b) {
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, v.slot(dst[i]) + begin, v.slot(a[i]) + begin, v.slot(b[i]) + begin);
  });
}

template <typename View>
void applyScalar(const View &v, ScalarKernel kernel, uint32_t n, const uint16_t *limbs,
                 const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, v.slot(dst[i]) + begin, v.slot(a[i]) + begin, scalars[i]);
  });
}

template <typename View>
void applyConstant(const View &v, BinaryKernel kernel, uint32_t n, const uint16_t *limbs,
                   const uint32_t *dst, const uint32_t *a, uint32_t constant,
                   const uint16_t *rows) {
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, v.slot(dst[i]) + begin, v.slot(a[i]) + begin,
           v.c.constantRow(constant, rows[i]) + begin);
  });
}

template <typename View>
void sluice_cpu_add(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  const View &v = View::of(context);
  Call call(v, number_add, n);
  applyBinary(v, v.c.kernel.add, n, limbs, dst, a, b);
}

template <typename View>
void sluice_cpu_sub(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  const View &v = View::of(context);
  Call call(v, number_sub, n);
  applyBinary(v, v.c.kernel.sub, n, limbs, dst, a, b);
}

template <typename View>
void sluice_cpu_negate(sluice_context *context, uint32_t n, const uint16_t *limbs,
                       const uint32_t *dst, const uint32_t *a) {
  const View &v = View::of(context);
  Call call(v, number_negate, n);
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    v.c.kernel.negate(prime, words, v.slot(dst[i]) + begin, v.slot(a[i]) + begin);
  });
}

template <typename View>
void sluice_cpu_mul(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  const View &v = View::of(context);
  Call call(v, number_mul, n);
  applyBinary(v, v.c.kernel.mul, n, limbs, dst, a, b);
}

template <typename View>
void sluice_cpu_mac(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *acc, const uint32_t *a, const uint32_t *b) {
  const View &v = View::of(context);
  Call call(v, number_mac, n);
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    v.c.kernel.mac(prime, words, v.slot(dst[i]) + begin, v.slot(acc[i]) + begin,
                   v.slot(a[i]) + begin, v.slot(b[i]) + begin);
  });
}

template <typename View>
void sluice_cpu_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                           const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  const View &v = View::of(context);
  Call call(v, number_mul_scalar, n);
  applyScalar(v, v.c.kernel.mulScalar, n, limbs, dst, a, scalars);
}

template <typename View>
void sluice_cpu_add_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                           const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  const View &v = View::of(context);
  Call call(v, number_add_scalar, n);
  applyScalar(v, v.c.kernel.addScalar, n, limbs, dst, a, scalars);
}

template <typename View>
void sluice_cpu_sub_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                               const uint32_t *dst, const uint32_t *a, const uint32_t *b,
                               const uint64_t *scalars) {
  const View &v = View::of(context);
  Call call(v, number_sub_mul_scalar, n);
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    v.c.kernel.subMulScalar(prime, words, v.slot(dst[i]) + begin, v.slot(a[i]) + begin,
                            v.slot(b[i]) + begin, scalars[i]);
  });
}

template <typename View>
void sluice_cpu_add_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *a, uint32_t constant,
                             const uint16_t *rows) {
  const View &v = View::of(context);
  Call call(v, number_add_constant, n);
  applyConstant(v, v.c.kernel.add, n, limbs, dst, a, constant, rows);
}

template <typename View>
void sluice_cpu_mul_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *a, uint32_t constant,
                             const uint16_t *rows) {
  const View &v = View::of(context);
  Call call(v, number_mul_constant, n);
  applyConstant(v, v.c.kernel.mul, n, limbs, dst, a, constant, rows);
}

template <typename View>
void sluice_cpu_mac_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *acc, const uint32_t *a,
                             uint32_t constant, const uint16_t *rows) {
  const View &v = View::of(context);
  Call call(v, number_mac_constant, n);
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    v.c.kernel.mac(prime, words, v.slot(dst[i]) + begin, v.slot(acc[i]) + begin,
                   v.slot(a[i]) + begin, v.c.constantRow(constant, rows[i]) + begin);
  });
}

//===- Across limbs: blocks of positions ===//

/// The tables of a conversion, or nothing and a failure for the program.
const kernels::ConvertTables *findConversion(Context &c, const char *function, uint32_t nDst,
                                             const uint16_t *dstLimbs, uint32_t nSrc,
                                             const uint16_t *srcLimbs) {
  Expected<const kernels::ConvertTables *> tables =
      c.memory.conversion({srcLimbs, nSrc}, {dstLimbs, nDst});
  if (tables)
    return *tables;
  c.fail(tables.status().withContext(function));
  return nullptr;
}

/// Pointers to slots of a conversion, `begin` words in.
struct ConvertSlots {
  std::array<uint64_t *, limits::limbs> destinations;
  std::array<const uint64_t *, kernels::maxConvertSources> sources;

  template <typename View>
  ConvertSlots(const View &v, size_t begin, uint32_t nDst, const uint32_t *dst, uint32_t nSrc,
               const uint32_t *src) {
    for (uint32_t t = 0; t < nDst; ++t)
      destinations[t] = v.slot(dst[t]) + begin;
    for (uint32_t k = 0; k < nSrc; ++k)
      sources[k] = v.slot(src[k]) + begin;
  }
};

template <typename View>
void sluice_cpu_base_convert(sluice_context *context, uint32_t nDst, const uint16_t *dstLimbs,
                             const uint32_t *dst, uint32_t nSrc, const uint16_t *srcLimbs,
                             const uint32_t *src) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "base_convert");
  Call call(v, number_base_convert, nDst);
  const kernels::ConvertTables *tables =
      findConversion(v.c, "base_convert", nDst, dstLimbs, nSrc, srcLimbs);
  if (!tables)
    return;
  BlockPlan positions(1, v.c.degree);
  parallelFor(v.c.pool, positions.blockCount(), [&](size_t block) {
    const ConvertSlots slots(v, positions.beginOf(block), nDst, dst, nSrc, src);
    v.c.kernel.baseConvert(*tables, positions.blockWords(), slots.destinations.data(),
                           slots.sources.data());
  });
}

/// Every task has scratch of its own and takes one part of the columns after the other.
template <typename View>
void sluice_cpu_base_convert_columns(sluice_context *context, uint32_t nDst,
                                     const uint16_t *dstLimbs, const uint32_t *dst, uint32_t nSrc,
                                     const uint16_t *srcLimbs, const uint32_t *src) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "base_convert_columns");
  Call call(v, number_base_convert_columns, nDst);
  const kernels::ConvertTables *tables =
      findConversion(v.c, "base_convert_columns", nDst, dstLimbs, nSrc, srcLimbs);
  if (!tables)
    return;
  constexpr size_t partColumns = 16;
  const size_t columns = v.c.kernel.rowWords(v.c.ring.logN());
  const size_t part = std::min(columns, partColumns), parts = columns / part;
  const size_t tasks = std::min<size_t>(parts, v.c.pool.threadCount());
  Expected<uint64_t *> scratch = v.c.memory.conversionScratch(tasks, tables->scratchWords());
  if (!scratch)
    return v.c.fail(scratch.status().withContext("base_convert_columns"));
  const ConvertSlots slots(v, 0, nDst, dst, nSrc, src);
  std::atomic<size_t> next = 0;
  parallelFor(v.c.pool, tasks, [&](size_t task) {
    for (size_t i = next++; i < parts; i = next++)
      v.c.kernel.baseConvertColumns(*tables, i * part, part, slots.destinations.data(),
                                    slots.sources.data(), *scratch + task * tables->scratchWords());
  });
}

template <typename View>
void sluice_cpu_inner_product(sluice_context *context, uint32_t n, const uint16_t *limbs,
                              const uint32_t *dst0, const uint32_t *dst1, uint32_t nDigits,
                              const uint32_t *digits, uint32_t key, const uint16_t *keyDigits,
                              const uint16_t *rows) {
  const View &v = View::of(context);
  Call call(v, number_inner_product, 2 * n);
  const EvaluationKey &k = *v.c.resources.keys[key];
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    std::array<const uint64_t *, kernels::maxDigits> operand, b, a;
    for (uint32_t j = 0; j < nDigits; ++j) {
      size_t offset = k.rowOffset(keyDigits[j], rows[i]) + begin;
      operand[j] = v.slot(digits[j * n + i]) + begin;
      b[j] = k.b.data() + offset;
      a[j] = k.a.data() + offset;
    }
    v.c.kernel.innerProduct(prime, words, v.slot(dst0[i]) + begin, v.slot(dst1[i]) + begin, nDigits,
                            operand.data(), b.data(), a.data());
  });
}

template <typename View>
void sluice_cpu_weighted_sum(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst0, const uint32_t *dst1, const uint32_t *acc0,
                             const uint32_t *acc1, uint32_t nTerms, const uint32_t *values0,
                             const uint32_t *values1, const uint32_t *constants,
                             const uint16_t *rows) {
  const View &v = View::of(context);
  Call call(v, number_weighted_sum, 2 * n);
  v.forEachBlock(n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    std::array<const uint64_t *, kernels::maxDigits> weights, first, second;
    for (uint32_t j = 0; j < nTerms; ++j) {
      weights[j] = v.c.constantRow(constants[j], rows[j * n + i]) + begin;
      first[j] = v.slot(values0[j * n + i]) + begin;
      second[j] = v.slot(values1[j * n + i]) + begin;
    }
    v.c.kernel.weightedSum(prime, words, v.slot(dst0[i]) + begin, v.slot(dst1[i]) + begin,
                           v.slot(acc0[i]) + begin, v.slot(acc1[i]) + begin, nTerms, weights.data(),
                           first.data(), second.data());
  });
}

template <typename View>
void sluice_cpu_zero(sluice_context *context, uint32_t n, const uint16_t *, const uint32_t *dst) {
  const View &v = View::of(context);
  Call call(v, number_zero, n);
  v.forEachLimb(n, [&](size_t i, size_t begin, size_t words) {
    std::memset(v.slot(dst[i]) + begin, 0, words * sizeof(uint64_t));
  });
}

//===- Loops over limbs ===//

extern const sluice_functions wholeFunctions, blockFunctions;

/// One task a thread, each with scratch slots of its own, takes one limb after the other.
template <typename View>
void sluice_cpu_parallel_for(sluice_context *context, uint32_t n, sluice_limb_body body) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "parallel_for");
  std::atomic<uint32_t> next = 0;
  size_t tasks = std::min<size_t>(n, v.c.pool.threadCount());
  parallelFor(v.c.pool, tasks, [&](size_t task) {
    for (uint32_t i = next++; i < n; i = next++)
      body(context, &wholeFunctions, i, v.c.scratchOf(task));
  });
}

/// The same with one block after the other, the blocks of a limb in turn.
template <typename View>
void sluice_cpu_parallel_for_blocks(sluice_context *context, uint32_t n, sluice_limb_body body) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "parallel_for_blocks");
  const size_t blocks = BlockOfLimbs::blocksPerLimb(v.c);
  std::atomic<size_t> next = 0;
  size_t tasks = std::min<size_t>(n * blocks, v.c.pool.threadCount());
  parallelFor(v.c.pool, tasks, [&](size_t task) {
    BlockOfLimbs block(v.c, v.c.scratchOf(task));
    for (size_t i = next++; i < n * blocks; i = next++) {
      block.moveTo(i % blocks);
      body(reinterpret_cast<sluice_context *>(&block), &blockFunctions,
           static_cast<uint32_t>(i / blocks), v.c.scratchOf(task));
    }
  });
}

template <typename View> void sluice_cpu_select_block(sluice_context *context, uint32_t element) {
  View::of(context).select(element);
}

template <typename View> void sluice_cpu_begin_stage(sluice_context *context, uint32_t stage) {
  const View &v = View::of(context);
  if constexpr (View::isBlock)
    return refuse(v, "begin_stage");
  v.c.clock.begin(stage);
}

template <typename View>
constexpr sluice_functions functionsOf = {
    SLUICE_ABI_VERSION,
    0,
#define SLUICE_FUNCTION(name, parameters) sluice_cpu_##name<View>,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};
constexpr sluice_functions wholeFunctions = functionsOf<WholeLimbs>;
constexpr sluice_functions blockFunctions = functionsOf<BlockOfLimbs>;

class CpuBackend final : public exec::CalledBackend {
public:
  CpuBackend(exec::BackendResources resources, Memory memory, ThreadPool &pool)
      : state(std::move(resources), std::move(memory), pool), whole(state) {}

  std::string description() const override {
    unsigned threads = state.pool.threadCount();
    return std::string("cpu, ") + state.kernel.name + ", " + std::to_string(threads) +
           (threads == 1 ? " thread" : " threads");
  }
  uint64_t arenaBytes() const override { return state.memory.bytes(); }

  Status write(std::span<const uint32_t> slots, ring::ConstPolyView poly) override {
    assert(slots.size() == poly.limbCount && poly.degree == state.degree);
    parallelFor(state.pool, slots.size(), [&](size_t i) {
      std::memcpy(state.slot(slots[i]), poly.limb(i), state.degree * sizeof(uint64_t));
    });
    return Status();
  }

  Status read(std::span<const uint32_t> slots, ring::PolyView poly) override {
    assert(slots.size() == poly.limbCount && poly.degree == state.degree);
    parallelFor(state.pool, slots.size(), [&](size_t i) {
      std::memcpy(poly.limb(i), state.slot(slots[i]), state.degree * sizeof(uint64_t));
    });
    return Status();
  }

  sluice_context *context() override { return reinterpret_cast<sluice_context *>(&whole); }
  const sluice_functions &functions() const override { return wholeFunctions; }
  Status finish() override {
    state.clock.end();
    return std::exchange(state.failure, Status());
  }

  std::span<const FunctionUsage> usage() const override { return state.usage; }
  std::span<const uint64_t> stageUsage() const override { return state.clock.nanoseconds(); }
  void resetUsage() override {
    state.usage = unusedFunctions;
    state.clock.reset();
  }

private:
  Context state;
  WholeLimbs whole;
};

} // namespace

Expected<std::unique_ptr<exec::CalledBackend>> createBackend(exec::BackendResources resources,
                                                             ThreadPool &pool) {
  uint64_t slots = resources.arenaSlots + uint64_t{resources.scratchSlots} * pool.threadCount();
  if (slots > UINT32_MAX)
    return Status::error(StatusCode::io, "an arena of %llu slots is too large",
                         static_cast<unsigned long long>(slots));
  SLUICE_ASSIGN_OR_RETURN(Memory memory, Memory::create(resources.ring, slots));
  return std::unique_ptr<exec::CalledBackend>(
      std::make_unique<CpuBackend>(std::move(resources), std::move(memory), pool));
}

} // namespace sluice::cpu
