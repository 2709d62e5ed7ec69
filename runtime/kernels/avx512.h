//===- avx512.h - the AVX-512 IFMA instructions, native or emulated ---------------------------===//
//
// Sources of the avx512ifma row include this and no other header of intrinsics. Normally it is
// <immintrin.h>; with SLUICE_EMULATE_AVX512 it defines exactly the instructions that the row uses,
// lane by lane, so that every machine can test the row. The two builds of a source differ in their
// namespace, SLUICE_AVX512_ROW.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_AVX512_H
#define SLUICE_RUNTIME_KERNELS_AVX512_H

#include <cmath>
#include <cstdint>
#include <cstring>

#ifndef SLUICE_EMULATE_AVX512

#include <immintrin.h>
#define SLUICE_AVX512_ROW avx512ifma

namespace sluice::kernels::SLUICE_AVX512_ROW {
using Vector = __m512i;

/// Eight doubles with the operators of one.
struct EightReals {
  __m512d lanes;
};

static inline EightReals operator+(EightReals a, EightReals b) {
  return {_mm512_add_pd(a.lanes, b.lanes)};
}

static inline EightReals operator-(EightReals a, EightReals b) {
  return {_mm512_sub_pd(a.lanes, b.lanes)};
}

static inline EightReals operator*(EightReals a, EightReals b) {
  return {_mm512_mul_pd(a.lanes, b.lanes)};
}

static inline EightReals operator-(EightReals a) {
  return {_mm512_xor_pd(a.lanes, _mm512_set1_pd(-0.0))};
}

static inline EightReals fusedMultiplyAdd(EightReals a, EightReals b, EightReals c) {
  return {_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes)};
}
} // namespace sluice::kernels::SLUICE_AVX512_ROW

#else

#define SLUICE_AVX512_ROW avx512ifma_emulated

namespace sluice::kernels::SLUICE_AVX512_ROW {

struct alignas(64) Vector {
  uint64_t lane[8];
};

// NOLINTNEXTLINE(readability-identifier-naming): the name that the instructions' header has
struct alignas(32) __m256i {
  uint32_t lane[8];
};

struct alignas(64) EightReals {
  double lane[8];
};

/// Applies function(lane number) to make each lane.
template <typename Function> static inline EightReals makeReals(Function function) {
  EightReals result;
  for (int i = 0; i < 8; ++i)
    result.lane[i] = function(i);
  return result;
}

static inline EightReals operator+(const EightReals &a, const EightReals &b) {
  return makeReals([&](int i) { return a.lane[i] + b.lane[i]; });
}

static inline EightReals operator-(const EightReals &a, const EightReals &b) {
  return makeReals([&](int i) { return a.lane[i] - b.lane[i]; });
}

static inline EightReals operator*(const EightReals &a, const EightReals &b) {
  return makeReals([&](int i) { return a.lane[i] * b.lane[i]; });
}

static inline EightReals operator-(const EightReals &a) {
  return makeReals([&](int i) { return -a.lane[i]; });
}

static inline EightReals fusedMultiplyAdd(const EightReals &a, const EightReals &b,
                                          const EightReals &c) {
  return makeReals([&](int i) { return std::fma(a.lane[i], b.lane[i], c.lane[i]); });
}

/// Applies function(lane number) to make each lane.
template <typename Function> static inline Vector makeLanes(Function function) {
  Vector result;
  for (int i = 0; i < 8; ++i)
    result.lane[i] = function(i);
  return result;
}

static inline Vector _mm512_loadu_si512(const void *memory) {
  const uint64_t *words = static_cast<const uint64_t *>(memory);
  return makeLanes([=](int i) { return words[i]; });
}

static inline __m256i _mm256_loadu_si256(const __m256i *memory) {
  __m256i result;
  std::memcpy(&result, memory, sizeof(result));
  return result;
}

static inline Vector _mm512_cvtepu32_epi64(__m256i a) {
  return makeLanes([&](int i) { return a.lane[i]; });
}

// NOLINTNEXTLINE(readability-identifier-naming): the name that the instructions' header has
struct __m128i {
  int8_t lane[16];
};

static inline __m128i _mm_loadu_si64(const void *memory) {
  __m128i result{};
  std::memcpy(&result, memory, 8);
  return result;
}

static inline Vector _mm512_cvtepi8_epi64(const __m128i &a) {
  return makeLanes([&](int i) { return static_cast<uint64_t>(int64_t{a.lane[i]}); });
}

static inline void _mm512_storeu_si512(void *memory, Vector a) {
  uint64_t *words = static_cast<uint64_t *>(memory);
  for (int i = 0; i < 8; ++i)
    words[i] = a.lane[i];
}

static inline Vector _mm512_setzero_si512() {
  return makeLanes([](int) { return uint64_t{0}; });
}

static inline Vector _mm512_set1_epi64(long long a) {
  return makeLanes([=](int) { return static_cast<uint64_t>(a); });
}

static inline Vector _mm512_setr_epi64(long long a, long long b, long long c, long long d,
                                       long long e, long long f, long long g, long long h) {
  const long long words[8] = {a, b, c, d, e, f, g, h};
  return makeLanes([&](int i) { return static_cast<uint64_t>(words[i]); });
}

static inline Vector _mm512_add_epi64(Vector a, Vector b) {
  return makeLanes([&](int i) { return a.lane[i] + b.lane[i]; });
}

static inline Vector _mm512_sub_epi64(Vector a, Vector b) {
  return makeLanes([&](int i) { return a.lane[i] - b.lane[i]; });
}

static inline Vector _mm512_min_epu64(Vector a, Vector b) {
  return makeLanes([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
}

static inline Vector _mm512_and_si512(Vector a, Vector b) {
  return makeLanes([&](int i) { return a.lane[i] & b.lane[i]; });
}

static inline Vector _mm512_sllv_epi64(Vector a, Vector count) {
  return makeLanes([&](int i) { return count.lane[i] < 64 ? a.lane[i] << count.lane[i] : 0; });
}

static inline Vector _mm512_slli_epi64(Vector a, unsigned count) {
  return makeLanes([&](int i) { return count < 64 ? a.lane[i] << count : 0; });
}

static inline Vector _mm512_srli_epi64(Vector a, unsigned count) {
  return makeLanes([&](int i) { return count < 64 ? a.lane[i] >> count : 0; });
}

/// The product of the low 52 bits of two words, as the instructions read them.
__extension__ static inline unsigned __int128 product52(uint64_t a, uint64_t b) {
  const uint64_t mask = (uint64_t{1} << 52) - 1;
  __extension__ using Word128 = unsigned __int128;
  return static_cast<Word128>(a & mask) * (b & mask);
}

static inline Vector _mm512_madd52lo_epu64(Vector sum, Vector a, Vector b) {
  const uint64_t mask = (uint64_t{1} << 52) - 1;
  return makeLanes([&](int i) {
    return sum.lane[i] + (static_cast<uint64_t>(product52(a.lane[i], b.lane[i])) & mask);
  });
}

static inline Vector _mm512_madd52hi_epu64(Vector sum, Vector a, Vector b) {
  return makeLanes([&](int i) {
    return sum.lane[i] + static_cast<uint64_t>(product52(a.lane[i], b.lane[i]) >> 52);
  });
}

static inline Vector _mm512_unpacklo_epi64(Vector a, Vector b) {
  return makeLanes([&](int i) { return i % 2 == 0 ? a.lane[i] : b.lane[i - 1]; });
}

static inline Vector _mm512_unpackhi_epi64(Vector a, Vector b) {
  return makeLanes([&](int i) { return i % 2 == 0 ? a.lane[i + 1] : b.lane[i]; });
}

static inline Vector _mm512_permutexvar_epi64(Vector index, Vector a) {
  return makeLanes([&](int i) { return a.lane[index.lane[i] & 7]; });
}

static inline Vector _mm512_permutex2var_epi64(Vector a, Vector index, Vector b) {
  return makeLanes([&](int i) {
    const uint64_t number = index.lane[i];
    return number & 8 ? b.lane[number & 7] : a.lane[number & 7];
  });
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW

#endif // SLUICE_EMULATE_AVX512

#endif // SLUICE_RUNTIME_KERNELS_AVX512_H
