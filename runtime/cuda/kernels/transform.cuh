//===- transform.cuh - transforms within a block of threads -----------------------------------===//
//
// A transform of 2^logLength words, one of several in a block, in passes of up to three stages: a
// thread has eight words (fewer of a shorter transform), does the stages among them, and exchanges
// them with the transform's other threads. A Shape says which of the block's threads share a
// transform and where its words stand in the exchange.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_TRANSFORM_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_TRANSFORM_CUH

#include "runtime/cuda/kernels/field.cuh"

namespace sluice::cuda {

/// How a transform of 2^logLength words is cut into passes. Of a pass with several groups of words
/// a lane has neighbours if `AreGroupsTogether`, else neighbouring lanes do.
template <unsigned LogLength, bool AreGroupsTogether = false> struct PassPlan {
  static constexpr unsigned logPerThread = LogLength < 3 ? LogLength : 3;
  static constexpr unsigned perThread = 1u << logPerThread;
  static constexpr unsigned logLanes = LogLength - logPerThread; // threads of a transform
  static constexpr unsigned passes = LogLength == 0 ? 0 : (LogLength + 2) / 3;
  static SLUICE_CONSTANT unsigned firstStage(unsigned pass) { return 3 * pass; }
  static SLUICE_CONSTANT unsigned stages(unsigned pass) {
    return pass + 1 < passes ? 3 : LogLength - 3 * pass;
  }

  /// Word e of a lane in a pass: groups of 2^stages words, each a distance apart.
  struct Place {
    uint32_t block, index; // block of the pass's first stage, index within the transform
  };
  static SLUICE_DEVICE Place place(unsigned pass, uint32_t lane, uint32_t e) {
    if (passes == 0)
      return {0, 0};
    const unsigned radix = stages(pass), first = firstStage(pass);
    const unsigned logStride = LogLength - first - radix;
    const uint32_t group = AreGroupsTogether ? (lane << (logPerThread - radix)) + (e >> radix)
                                             : lane + ((e >> radix) << logLanes),
                   j = e & ((1u << radix) - 1);
    const uint32_t block = group >> logStride, offset = group & ((1u << logStride) - 1);
    return {block, (block << (LogLength - first)) + (j << logStride) + offset};
  }
  /// Where a forward transform begins and an inverse one ends.
  static SLUICE_DEVICE uint32_t outer(uint32_t lane, uint32_t e) { return place(0, lane, e).index; }
  /// Where a forward transform ends and an inverse one begins.
  static SLUICE_DEVICE uint32_t inner(uint32_t lane, uint32_t e) {
    return place(passes == 0 ? 0 : passes - 1, lane, e).index;
  }
};

template <typename AnyField>
SLUICE_DEVICE void deriveRoots(const AnyField &field, typename AnyField::Root *of,
                               typename AnyField::Root turn) {
  if constexpr (AnyField::derivesRoots)
    field.deriveRoots(of, turn);
}

/// The factors of a last inverse stage.
struct LastFactors {
  Factor sum, difference;
};

/// Transforms of a Shape, which has: logLength, threads; Plan; lane(thread); place(thread, index),
/// where word `index` of the thread's transform stands in the exchange; exchangeWords;
/// isInWarp(pass), if the threads whose words meet in that pass are of one warp; hasManyRoots, if
/// roots are a good part of what it reads.
template <typename Shape> struct BlockTransform {
  using Plan = typename Shape::Plan;
  using Word = Field::Word;
  using Words = Registers<Word, Shape::threads, Plan::perThread>;

  /// From outer to inner places, of `Count` transforms, each with its field, at once; exchange has
  /// room for all. rootOf(thread): rows of the limb plus the row's number.
  template <unsigned Count, typename RootOf>
  static SLUICE_DEVICE void forward(const Field *fields, Words *words, Word *exchange,
                                    const RootOf &rootOf) {
    if constexpr (Plan::passes > 0) {
      Roots roots[Count];
      readForwardRoots<0, Count>(fields, roots, rootOf);
      forwardFrom<0, Count>(fields, words, exchange, rootOf, roots);
    }
  }

  /// From inner to outer places. The last stage is the limb's own if isLast, with these factors.
  template <bool isLast, typename RootOf>
  static SLUICE_DEVICE void inverse(const Field &field, Words &words, Word *exchange,
                                    const RootOf &rootOf, LastFactors factors = {}) {
    if constexpr (Plan::passes > 0) {
      Roots roots;
      readInverseRoots<Plan::passes - 1>(field, roots, rootOf);
      inverseFrom<Plan::passes - 1, isLast>(field, words, exchange, rootOf, roots, factors);
    }
  }

private:
  /// Of all groups of a thread in one pass.
  using Roots = Registers<Field::Root, Shape::threads, Plan::perThread>;

  /// The roots of a pass are read before the words are exchanged, so that nothing waits for them.
  template <unsigned Pass, unsigned Count, typename RootOf>
  static SLUICE_DEVICE void forwardFrom(const Field *fields, Words *words, Word *exchange,
                                        const RootOf &rootOf, const Roots *roots) {
    SLUICE_FOR_THREADS(Shape::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i)
        forwardStages<Pass>(fields[i], words[i].of(thread), roots[i].of(thread));
    }
    if constexpr (Pass + 1 < Plan::passes) {
      Roots next[Count];
      readForwardRoots<Pass + 1, Count>(fields, next, rootOf);
      move<Pass, Pass + 1, Count>(words, exchange);
      forwardFrom<Pass + 1, Count>(fields, words, exchange, rootOf, next);
    }
  }

  template <unsigned Pass, bool isLast, typename RootOf>
  static SLUICE_DEVICE void inverseFrom(const Field &field, Words &words, Word *exchange,
                                        const RootOf &rootOf, const Roots &roots,
                                        LastFactors factors) {
    SLUICE_FOR_THREADS(Shape::threads)
    inverseStages<Pass, isLast && Pass == 0>(field, words.of(thread), roots.of(thread), factors);
    if constexpr (Pass > 0) {
      Roots next;
      readInverseRoots<Pass - 1>(field, next, rootOf);
      move<Pass, Pass - 1, 1>(&words, exchange);
      inverseFrom<Pass - 1, isLast>(field, words, exchange, rootOf, next, factors);
    }
  }

  template <unsigned Pass, unsigned Count, typename RootOf>
  static SLUICE_DEVICE void readForwardRoots(const Field *fields, Roots *roots,
                                             const RootOf &rootOf) {
    SLUICE_FOR_THREADS(Shape::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i)
        readRoots<Pass>(fields[i], roots[i].of(thread), Shape::lane(thread), rootOf(thread),
                        [&](uint32_t index) { return fields[i].forwardRoot(index); });
    }
  }

  template <unsigned Pass, typename RootOf>
  static SLUICE_DEVICE void readInverseRoots(const Field &field, Roots &roots,
                                             const RootOf &rootOf) {
    SLUICE_FOR_THREADS(Shape::threads)
    readRoots<Pass>(field, roots.of(thread), Shape::lane(thread), rootOf(thread),
                    [&](uint32_t index) { return field.inverseRoot(index); });
  }

  template <unsigned From, unsigned To, unsigned Count>
  static SLUICE_DEVICE void move(Words *words, Word *exchange) {
    SLUICE_FOR_THREADS(Shape::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i) {
        SLUICE_UNROLL
        for (uint32_t e = 0; e < Plan::perThread; ++e)
          exchange[placeOf<From>(thread, e, i)] = words[i].of(thread)[e];
      }
    }
    barrier<isAmongFew(From, To)>();
    SLUICE_FOR_THREADS(Shape::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i) {
        SLUICE_UNROLL
        for (uint32_t e = 0; e < Plan::perThread; ++e)
          words[i].of(thread)[e] = exchange[placeOf<To>(thread, e, i)];
      }
    }
    // A thread writes next where it has just read, unless that is another transform: before one,
    // who asks for both waits, except in a warp.
    if constexpr ((To == 0 || To + 1 == Plan::passes) && isAmongFew(0, 0))
      warpBarrier();
  }

  /// Do words that move between these passes stay in a warp?
  static SLUICE_CONSTANT bool isAmongFew(unsigned from, unsigned to) {
    return Shape::isInWarp(from < to ? from : to);
  }
  template <bool isOfWarp> static SLUICE_DEVICE void barrier() {
    if constexpr (isOfWarp)
      warpBarrier();
    else
      blockBarrier();
  }

  /// Where word e of a thread in a pass stands in the exchange of transform i.
  template <unsigned Pass>
  static SLUICE_DEVICE uint32_t placeOf(uint32_t thread, uint32_t e, unsigned i) {
    return i * Shape::exchangeWords +
           Shape::place(thread, Plan::place(Pass, Shape::lane(thread), e).index);
  }

  /// For each group of words of a lane: the root of its first stage, two of the second, ...
  template <unsigned Pass, typename RootAt>
  static SLUICE_DEVICE void readRoots(const Field &field, Field::Root *roots, uint32_t lane,
                                      uint32_t rootBase, const RootAt &rootAt) {
    constexpr unsigned radix = Plan::stages(Pass), size = 1u << radix,
                       firstStage = Plan::firstStage(Pass);
    SLUICE_UNROLL
    for (uint32_t first = 0; first < Plan::perThread; first += size) {
      Field::Root *own = roots + first;
      const uint32_t block = Plan::place(Pass, lane, first).block;
      if constexpr (radix == 2 && Shape::hasManyRoots && Field::derivesRoots) {
        own[1] = rootAt((rootBase << (firstStage + 1)) + (block << 1));
        deriveRoots(field, own, rootAt(1));
      } else {
        SLUICE_UNROLL
        for (unsigned stage = 0; stage < radix; ++stage) {
          SLUICE_UNROLL
          for (uint32_t i = 0; i < 1u << stage; ++i)
            own[(1u << stage) - 1 + i] =
                rootAt((rootBase << (firstStage + stage)) + (block << stage) + i);
        }
      }
    }
  }

  /// The place among a group's roots of that of word j in a stage.
  static SLUICE_CONSTANT uint32_t rootPlace(unsigned radix, unsigned stage, uint32_t j) {
    return (1u << stage) - 1 + (j >> (radix - stage));
  }

  template <unsigned Pass>
  static SLUICE_DEVICE void forwardStages(const Field &field, Word *own, const Field::Root *roots) {
    constexpr unsigned radix = Plan::stages(Pass), size = 1u << radix;
    SLUICE_UNROLL
    for (uint32_t first = 0; first < Plan::perThread; first += size) {
      SLUICE_UNROLL
      for (unsigned stage = 0; stage < radix; ++stage) {
        const uint32_t half = size >> (stage + 1);
        SLUICE_UNROLL
        for (uint32_t j = 0; j < size; ++j)
          if (!(j & half))
            field.forwardButterfly(own[first + j], own[first + j + half],
                                   roots[first + rootPlace(radix, stage, j)]);
      }
    }
    SLUICE_UNROLL
    for (uint32_t e = 0; e < Plan::perThread; ++e)
      own[e] = field.endForwardPass(own[e]);
  }

  template <unsigned Pass, bool isLast>
  static SLUICE_DEVICE void inverseStages(const Field &field, Word *own, const Field::Root *roots,
                                          LastFactors factors) {
    constexpr unsigned radix = Plan::stages(Pass), size = 1u << radix;
    SLUICE_UNROLL
    for (uint32_t first = 0; first < Plan::perThread; first += size) {
      SLUICE_UNROLL
      for (unsigned stage = radix; stage-- > 0;) {
        const uint32_t half = size >> (stage + 1);
        SLUICE_UNROLL
        for (uint32_t j = 0; j < size; ++j) {
          if (j & half)
            continue;
          Word &x = own[first + j], &y = own[first + j + half];
          if (radix == 3 && stage == 0 && j == 0) {
            x = field.settleSums(x);
            y = field.settleSums(y);
          }
          if (isLast && stage == 0)
            field.inverseLast(x, y, factors.sum, factors.difference);
          else
            field.inverseButterfly(x, y, roots[first + rootPlace(radix, stage, j)]);
        }
      }
    }
    if constexpr (!isLast) {
      SLUICE_UNROLL
      for (uint32_t e = 0; e < Plan::perThread; ++e)
        own[e] = field.endInversePass(own[e]);
    }
  }
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_TRANSFORM_CUH
