//===- backend.cpp - exec's backend over the table of kernels -------------------------------===//
//
// Each function of functions.def looks up what its numbers name, cuts the work for the threads, and
// calls one kernel.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/cpu/backend.h"

#include "runtime/abi/manifest.h"
#include "runtime/cpu/memory.h"
#include "runtime/cpu/threads.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>

namespace sluice::cpu {
namespace {

using exec::EvaluationKey;
using exec::FunctionUsage;
using kernels::KernelTable;
using kernels::PrimeConstants;

enum FunctionNumber : size_t {
#define SLUICE_FUNCTION(name, parameters) number_##name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
  functionCount
};

constexpr std::array<FunctionUsage, functionCount> unusedFunctions = {{
#define SLUICE_FUNCTION(name, parameters) FunctionUsage{#name},
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
}};

/// What a `sluice_context *` points to on this backend.
struct Context {
  Context(exec::BackendResources resources, Memory memory, ThreadPool &pool)
      : resources(std::move(resources)), memory(std::move(memory)), pool(pool),
        ring(*this->resources.ring), kernel(ring.kernels()), degree(ring.degree()) {}

  exec::BackendResources resources;
  Memory memory;
  ThreadPool &pool;
  const ring::Ring &ring;
  const KernelTable &kernel;
  size_t degree;
  Status failure; // of the first call that failed since finish()
  std::array<FunctionUsage, functionCount> usage =
      unusedFunctions; // changed by std::atomic_ref only

  uint64_t *slot(uint32_t number) { return memory.slot(number); }
  const PrimeConstants &prime(uint16_t limb) const { return ring.tables(limb).prime; }
  const uint64_t *constantRow(uint32_t constant, uint16_t row) const {
    return resources.constants[constant]->rows.limb(row);
  }
};

Context &contextOf(sluice_context *context) { return *reinterpret_cast<Context *>(context); }

/// Counts and times one call.
class Call {
public:
  Call(Context &context, FunctionNumber function, uint32_t limbs)
      : usage(context.usage[function]), start(std::chrono::steady_clock::now()) {
    add(usage.calls, 1);
    add(usage.limbs, limbs);
  }
  ~Call() {
    auto elapsed = std::chrono::steady_clock::now() - start;
    add(usage.nanoseconds,
        static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count()));
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

private:
  static void add(uint64_t &counter, uint64_t amount) {
    std::atomic_ref(counter).fetch_add(amount, std::memory_order_relaxed);
  }

  FunctionUsage &usage;
  std::chrono::steady_clock::time_point start;
};

/// body(i, prime, begin, words) for every block of every limb.
template <typename Body>
void forEachBlock(Context &c, uint32_t n, const uint16_t *limbs, const Body &body) {
  forBlocks(c.pool, BlockPlan(n, c.degree), [&](size_t i, size_t begin, size_t words) {
    body(i, c.prime(limbs[i]), begin, words);
  });
}

//===- Changes of form, copies, permutations: whole limbs ===//

void sluice_cpu_ntt(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *src) {
  Context &c = contextOf(context);
  Call call(c, number_ntt, n);
  parallelFor(c.pool, n, [&](size_t i) {
    c.kernel.ntt(c.ring.tables(limbs[i]), c.slot(dst[i]), c.slot(src[i]));
  });
}

void sluice_cpu_intt(sluice_context *context, uint32_t n, const uint16_t *limbs,
                     const uint32_t *dst, const uint32_t *src) {
  Context &c = contextOf(context);
  Call call(c, number_intt, n);
  parallelFor(c.pool, n, [&](size_t i) {
    c.kernel.intt(c.ring.tables(limbs[i]), c.slot(dst[i]), c.slot(src[i]));
  });
}

void sluice_cpu_copy(sluice_context *context, uint32_t n, const uint32_t *dst,
                     const uint32_t *src) {
  Context &c = contextOf(context);
  Call call(c, number_copy, n);
  parallelFor(c.pool, n, [&](size_t i) {
    if (dst[i] != src[i])
      std::memcpy(c.slot(dst[i]), c.slot(src[i]), c.degree * sizeof(uint64_t));
  });
}

void sluice_cpu_automorphism(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *src, uint32_t element) {
  Context &c = contextOf(context);
  Call call(c, number_automorphism, n);
  const uint32_t *permutation = c.memory.permutation(element);
  parallelFor(c.pool, n, [&](size_t i) {
    c.kernel.automorphism(c.degree, c.slot(dst[i]), c.slot(src[i]), permutation);
  });
}

//===- Element by element: blocks ===//

using BinaryKernel = void (*)(const PrimeConstants &, size_t, uint64_t *, const uint64_t *,
                              const uint64_t *);
using ScalarKernel = void (*)(const PrimeConstants &, size_t, uint64_t *, const uint64_t *,
                              uint64_t);

void applyBinary(Context &c, BinaryKernel kernel, uint32_t n, const uint16_t *limbs,
                 const uint32_t *dst, const uint32_t *a, const uint32_t *b) {
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, c.slot(dst[i]) + begin, c.slot(a[i]) + begin, c.slot(b[i]) + begin);
  });
}

void applyScalar(Context &c, ScalarKernel kernel, uint32_t n, const uint16_t *limbs,
                 const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, c.slot(dst[i]) + begin, c.slot(a[i]) + begin, scalars[i]);
  });
}

void applyConstant(Context &c, BinaryKernel kernel, uint32_t n, const uint16_t *limbs,
                   const uint32_t *dst, const uint32_t *a, uint32_t constant,
                   const uint16_t *rows) {
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    kernel(prime, words, c.slot(dst[i]) + begin, c.slot(a[i]) + begin,
           c.constantRow(constant, rows[i]) + begin);
  });
}

void sluice_cpu_add(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  Context &c = contextOf(context);
  Call call(c, number_add, n);
  applyBinary(c, c.kernel.add, n, limbs, dst, a, b);
}

void sluice_cpu_sub(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  Context &c = contextOf(context);
  Call call(c, number_sub, n);
  applyBinary(c, c.kernel.sub, n, limbs, dst, a, b);
}

void sluice_cpu_negate(sluice_context *context, uint32_t n, const uint16_t *limbs,
                       const uint32_t *dst, const uint32_t *a) {
  Context &c = contextOf(context);
  Call call(c, number_negate, n);
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    c.kernel.negate(prime, words, c.slot(dst[i]) + begin, c.slot(a[i]) + begin);
  });
}

void sluice_cpu_mul(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *a, const uint32_t *b) {
  Context &c = contextOf(context);
  Call call(c, number_mul, n);
  applyBinary(c, c.kernel.mul, n, limbs, dst, a, b);
}

void sluice_cpu_mac(sluice_context *context, uint32_t n, const uint16_t *limbs, const uint32_t *dst,
                    const uint32_t *acc, const uint32_t *a, const uint32_t *b) {
  Context &c = contextOf(context);
  Call call(c, number_mac, n);
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    c.kernel.mac(prime, words, c.slot(dst[i]) + begin, c.slot(acc[i]) + begin, c.slot(a[i]) + begin,
                 c.slot(b[i]) + begin);
  });
}

void sluice_cpu_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                           const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  Context &c = contextOf(context);
  Call call(c, number_mul_scalar, n);
  applyScalar(c, c.kernel.mulScalar, n, limbs, dst, a, scalars);
}

void sluice_cpu_add_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                           const uint32_t *dst, const uint32_t *a, const uint64_t *scalars) {
  Context &c = contextOf(context);
  Call call(c, number_add_scalar, n);
  applyScalar(c, c.kernel.addScalar, n, limbs, dst, a, scalars);
}

void sluice_cpu_sub_mul_scalar(sluice_context *context, uint32_t n, const uint16_t *limbs,
                               const uint32_t *dst, const uint32_t *a, const uint32_t *b,
                               const uint64_t *scalars) {
  Context &c = contextOf(context);
  Call call(c, number_sub_mul_scalar, n);
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    c.kernel.subMulScalar(prime, words, c.slot(dst[i]) + begin, c.slot(a[i]) + begin,
                          c.slot(b[i]) + begin, scalars[i]);
  });
}

void sluice_cpu_add_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *a, uint32_t constant,
                             const uint16_t *rows) {
  Context &c = contextOf(context);
  Call call(c, number_add_constant, n);
  applyConstant(c, c.kernel.add, n, limbs, dst, a, constant, rows);
}

void sluice_cpu_mul_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *a, uint32_t constant,
                             const uint16_t *rows) {
  Context &c = contextOf(context);
  Call call(c, number_mul_constant, n);
  applyConstant(c, c.kernel.mul, n, limbs, dst, a, constant, rows);
}

void sluice_cpu_mac_constant(sluice_context *context, uint32_t n, const uint16_t *limbs,
                             const uint32_t *dst, const uint32_t *acc, const uint32_t *a,
                             uint32_t constant, const uint16_t *rows) {
  Context &c = contextOf(context);
  Call call(c, number_mac_constant, n);
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    c.kernel.mac(prime, words, c.slot(dst[i]) + begin, c.slot(acc[i]) + begin, c.slot(a[i]) + begin,
                 c.constantRow(constant, rows[i]) + begin);
  });
}

//===- Across limbs: blocks of positions ===//

void sluice_cpu_base_convert(sluice_context *context, uint32_t nDst, const uint16_t *dstLimbs,
                             const uint32_t *dst, uint32_t nSrc, const uint16_t *srcLimbs,
                             const uint32_t *src) {
  Context &c = contextOf(context);
  Call call(c, number_base_convert, nDst);
  Expected<const kernels::ConvertTables *> tables =
      c.memory.conversion({srcLimbs, nSrc}, {dstLimbs, nDst});
  if (!tables) {
    if (c.failure.isOk())
      c.failure = tables.status().withContext("base_convert");
    return;
  }
  BlockPlan positions(1, c.degree);
  parallelFor(c.pool, positions.blockCount(), [&](size_t block) {
    size_t begin = positions.beginOf(block);
    std::array<uint64_t *, limits::limbs> destinations;
    std::array<const uint64_t *, kernels::maxConvertSources> sources;
    for (uint32_t t = 0; t < nDst; ++t)
      destinations[t] = c.slot(dst[t]) + begin;
    for (uint32_t k = 0; k < nSrc; ++k)
      sources[k] = c.slot(src[k]) + begin;
    c.kernel.baseConvert(**tables, positions.blockWords(), destinations.data(), sources.data());
  });
}

void sluice_cpu_inner_product(sluice_context *context, uint32_t n, const uint16_t *limbs,
                              const uint32_t *dst0, const uint32_t *dst1, uint32_t nDigits,
                              const uint32_t *digits, uint32_t key, const uint16_t *keyDigits,
                              const uint16_t *rows) {
  Context &c = contextOf(context);
  Call call(c, number_inner_product, 2 * n);
  const EvaluationKey &k = *c.resources.keys[key];
  forEachBlock(c, n, limbs, [&](size_t i, const PrimeConstants &prime, size_t begin, size_t words) {
    std::array<const uint64_t *, kernels::maxDigits> operand, b, a;
    for (uint32_t j = 0; j < nDigits; ++j) {
      size_t offset = k.rowOffset(keyDigits[j], rows[i]) + begin;
      operand[j] = c.slot(digits[j * n + i]) + begin;
      b[j] = k.b.data() + offset;
      a[j] = k.a.data() + offset;
    }
    c.kernel.innerProduct(prime, words, c.slot(dst0[i]) + begin, c.slot(dst1[i]) + begin, nDigits,
                          operand.data(), b.data(), a.data());
  });
}

void sluice_cpu_zero(sluice_context *context, uint32_t n, const uint16_t *, const uint32_t *dst) {
  Context &c = contextOf(context);
  Call call(c, number_zero, n);
  parallelFor(c.pool, n,
              [&](size_t i) { std::memset(c.slot(dst[i]), 0, c.degree * sizeof(uint64_t)); });
}

//===- Loops over limbs ===//

extern const sluice_functions cpuFunctions;

/// One task a thread, each with scratch slots of its own, takes one limb after the other.
void sluice_cpu_parallel_for(sluice_context *context, uint32_t n, sluice_limb_body body) {
  Context &c = contextOf(context);
  std::atomic<uint32_t> next = 0;
  size_t tasks = std::min<size_t>(n, c.pool.threadCount());
  parallelFor(c.pool, tasks, [&](size_t task) {
    uint32_t scratch =
        c.resources.arenaSlots + static_cast<uint32_t>(task) * c.resources.scratchSlots;
    for (uint32_t i = next.fetch_add(1, std::memory_order_relaxed); i < n;
         i = next.fetch_add(1, std::memory_order_relaxed))
      body(context, &cpuFunctions, i, scratch);
  });
}

constexpr sluice_functions cpuFunctions = {
    SLUICE_ABI_VERSION,
    0,
#define SLUICE_FUNCTION(name, parameters) sluice_cpu_##name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};

class CpuBackend final : public exec::Backend {
public:
  CpuBackend(exec::BackendResources resources, Memory memory, ThreadPool &pool)
      : state(std::move(resources), std::move(memory), pool) {}

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

  sluice_context *context() override { return reinterpret_cast<sluice_context *>(&state); }
  const sluice_functions &functions() const override { return cpuFunctions; }
  Status finish() override { return std::exchange(state.failure, Status()); }

  std::span<const FunctionUsage> usage() const override { return state.usage; }
  void resetUsage() override { state.usage = unusedFunctions; }

private:
  Context state;
};

} // namespace

Expected<std::unique_ptr<exec::Backend>> createBackend(exec::BackendResources resources,
                                                       ThreadPool &pool) {
  uint64_t slots = resources.arenaSlots + uint64_t{resources.scratchSlots} * pool.threadCount();
  if (slots > UINT32_MAX)
    return Status::error(StatusCode::io, "an arena of %llu slots is too large",
                         static_cast<unsigned long long>(slots));
  SLUICE_ASSIGN_OR_RETURN(Memory memory, Memory::create(resources.ring, slots));
  return std::unique_ptr<exec::Backend>(
      std::make_unique<CpuBackend>(std::move(resources), std::move(memory), pool));
}

} // namespace sluice::cpu
