//===- limb_kernel.cuh - what the compiler writes the kernels of a program with ---------------===//
//
// An rns.limb_kernel becomes one kernel: each value of its body is a variable of type Residues or
// Half, in registers from the first load to the last store. A block works on a part of one limb:
// some positions (kind elements), or some rows of the half form (kind rows). The parameters of the
// limb are words; parameter 0 is the limb, 1 ... the slots that are written.
//
//   SLUICE_LIMB_KERNEL(limb_kernel_7, 12, elements) {
//     const Residues v0 = load(b, 3);
//     const Residues v1 = mulScalar(b, v0, 4);
//     store(b, 1, v1);
//   }
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_LIMB_KERNEL_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_LIMB_KERNEL_CUH

#include "runtime/cuda/kernels/transform.cuh"

namespace sluice::cuda {

SLUICE_DEVICE uint32_t reversed(uint32_t value, unsigned bits) {
#ifdef SLUICE_CUDA_HOST_SHIM
  uint32_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= ((value >> i) & 1) << (bits - 1 - i);
  return result;
#else
  return __brev(value) >> (32 - bits);
#endif
}

/// The position that X -> X^element reads for position `position`, in evaluation form: ring's
/// evalPermutation.
template <unsigned LogN> SLUICE_DEVICE uint32_t movedFrom(uint32_t position, uint32_t element) {
  const uint32_t exponent = 2 * reversed(position, LogN) + 1;
  return reversed(((exponent * element) & ((2u << LogN) - 1)) >> 1, LogN);
}

/// Two neighbouring words, read or written at once.
struct alignas(16) WordPair {
  uint64_t first, second;
};

/// Kind `elements`: two neighbouring positions a thread.
template <unsigned LogN> struct ElementsBlock {
  static constexpr uint32_t threads = elementsGeometry(LogN).threads, perThread = 2;
  static constexpr uint32_t exchangeWords = 1;
  static constexpr unsigned logN = LogN;

  const uint64_t *parameters;
  Field field;
  Field::Word *exchange;
  uint32_t index; // of the block along the limb

  SLUICE_DEVICE uint32_t position(uint32_t thread, uint32_t e) const {
    return (index * threads + thread) * perThread + e;
  }
};

/// Kind `rows`: eight words a thread, some rows a block.
template <unsigned LogN> struct RowsBlock {
  static constexpr uint32_t threads = rowsGeometry(LogN).threads, perThread = 8;
  static constexpr unsigned logLength = logRowOf(LogN), logN = LogN;
  static constexpr uint32_t exchangeWords = threads * perThread;
  using Plan = PassPlan<logLength>;
  static_assert(Plan::stages(Plan::passes - 1) > 0,
                "words 2k and 2k + 1 of a thread are neighbours");
  static_assert(Plan::logLanes <= 5, "the lanes of a row are in one warp");

  const uint64_t *parameters;
  Field field;
  Field::Word *exchange;
  uint32_t index;

  static SLUICE_DEVICE uint32_t lane(uint32_t thread) {
    return thread & ((1u << Plan::logLanes) - 1);
  }
  /// So that the lanes of half a warp find their words in different banks, in every pass of 256.
  static SLUICE_DEVICE uint32_t place(uint32_t thread, uint32_t index) {
    return ((thread >> Plan::logLanes) << logLength) +
           (logLength < 7 ? index : index ^ ((index >> 4) & 3) ^ ((index >> 3) & 12));
  }
  static SLUICE_CONSTANT bool isInWarp(unsigned) { return true; }
  static constexpr bool hasManyRoots = true; // a word of a root for each word of the limb

  SLUICE_DEVICE uint32_t row(uint32_t thread) const {
    return index * (threads >> Plan::logLanes) + (thread >> Plan::logLanes);
  }
  SLUICE_DEVICE uint32_t root(uint32_t thread) const {
    return (1u << logRowsOf(LogN)) + row(thread);
  }
  /// In evaluation form, and in half form.
  SLUICE_DEVICE uint32_t position(uint32_t thread, uint32_t e) const {
    return (row(thread) << logLength) + Plan::inner(lane(thread), e);
  }
  SLUICE_DEVICE uint32_t halfPosition(uint32_t thread, uint32_t e) const {
    return (row(thread) << logLength) + Plan::outer(lane(thread), e);
  }
};

template <typename Block>
using ResiduesOf = Registers<Field::Word, Block::threads, Block::perThread>;
/// Sums of products at every word, and how many are in them since they were last reduced.
template <typename Block> struct SumOf {
  Registers<Field::Sum, Block::threads, Block::perThread> values;
  uint32_t products;
};

/// Runs body(thread, e) for all words of the block.
template <typename Block, typename Body>
SLUICE_DEVICE void forEachWord(const Block &, const Body &body) {
  SLUICE_FOR_THREADS(Block::threads) {
    SLUICE_UNROLL
    for (uint32_t e = 0; e < Block::perThread; ++e)
      body(thread, e);
  }
}

/// body(word of each operand) at every word.
template <typename Block, typename Body, typename... Operands>
SLUICE_DEVICE ResiduesOf<Block> each(const Block &b, const Body &body,
                                     const Operands &...operands) {
  ResiduesOf<Block> result;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    result.of(thread)[e] = body(operands.of(thread)[e]...);
  });
  return result;
}

template <typename Block> SLUICE_DEVICE uint64_t *address(const Block &b, uint32_t parameter) {
  return reinterpret_cast<uint64_t *>(b.parameters[parameter]);
}

//===- Loads ===//

template <typename Block> SLUICE_DEVICE ResiduesOf<Block> load(const Block &b, uint32_t parameter) {
  ResiduesOf<Block> x;
  const uint64_t *words = address(b, parameter);
  SLUICE_FOR_THREADS(Block::threads) {
    SLUICE_UNROLL
    for (uint32_t e = 0; e < Block::perThread; e += 2) {
      const WordPair pair = *reinterpret_cast<const WordPair *>(words + b.position(thread, e));
      x.of(thread)[e] = Field::fromResidue(pair.first);
      x.of(thread)[e + 1] = Field::fromResidue(pair.second);
    }
  }
  return x;
}

/// The automorphism X -> X^g of what load gives, g the scalar parameter `element`. A pair comes
/// from a pair, in order or not: the exponents of a pair differ by N, and so do g times they.
template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> loadAt(const Block &b, uint32_t parameter, uint32_t element) {
  ResiduesOf<Block> x;
  const uint64_t *words = address(b, parameter);
  const uint32_t g = static_cast<uint32_t>(b.parameters[element]);
  SLUICE_FOR_THREADS(Block::threads) {
    SLUICE_UNROLL
    for (uint32_t e = 0; e < Block::perThread; e += 2) {
      const uint32_t from = movedFrom<Block::logN>(b.position(thread, e), g);
      const WordPair pair = *reinterpret_cast<const WordPair *>(words + (from & ~1u));
      x.of(thread)[e] = Field::fromResidue(from & 1 ? pair.second : pair.first);
      x.of(thread)[e + 1] = Field::fromResidue(from & 1 ? pair.first : pair.second);
    }
  }
  return x;
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> loadHalf(const Block &b, uint32_t parameter) {
  ResiduesOf<Block> x;
  const uint64_t *words = address(b, parameter);
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    x.of(thread)[e] = Field::fromHalf(words[b.halfPosition(thread, e)]);
  });
  return x;
}

//===- Transforms ===//

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> nttRows(const Block &b, ResiduesOf<Block> x) {
  x = each(b, [&](Field::Word v) { return b.field.beginForward(v); }, x);
  BlockTransform<Block>::template forward<1>(&b.field, &x, b.exchange,
                                             [&](uint32_t thread) { return b.root(thread); });
  return each(b, [&](Field::Word v) { return b.field.endForward(v); }, x);
}

/// With one row, the whole transform, the product by N^-1 included.
template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> inttRows(const Block &b, ResiduesOf<Block> x) {
  constexpr bool isWhole = logRowsOf(Block::logN) == 0;
  x = each(b, [&](Field::Word v) { return b.field.beginInverse(v); }, x);
  const LimbConstants &limb = *reinterpret_cast<const LimbConstants *>(b.parameters[0]);
  BlockTransform<Block>::template inverse<isWhole>(b.field, x, b.exchange,
                                                   [&](uint32_t thread) { return b.root(thread); },
                                                   {limb.inverseN, limb.inverseNRoot});
  return x;
}

//===- Arithmetic ===//

template <typename Block> SLUICE_DEVICE ResiduesOf<Block> zero(const Block &b) {
  return each(b, [] { return Field::Word(0); });
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> add(const Block &b, const ResiduesOf<Block> &x,
                                    const ResiduesOf<Block> &y) {
  return each(b, [&](Field::Word v, Field::Word w) { return b.field.add(v, w); }, x, y);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> sub(const Block &b, const ResiduesOf<Block> &x,
                                    const ResiduesOf<Block> &y) {
  return each(b, [&](Field::Word v, Field::Word w) { return b.field.sub(v, w); }, x, y);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> negate(const Block &b, const ResiduesOf<Block> &x) {
  return each(b, [&](Field::Word v) { return b.field.negate(v); }, x);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> mul(const Block &b, const ResiduesOf<Block> &x,
                                    const ResiduesOf<Block> &y) {
  return each(b, [&](Field::Word v, Field::Word w) { return b.field.mul(v, w); }, x, y);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> mac(const Block &b, const ResiduesOf<Block> &acc,
                                    const ResiduesOf<Block> &x, const ResiduesOf<Block> &y) {
  return each(
      b, [&](Field::Word u, Field::Word v, Field::Word w) { return b.field.mac(u, v, w); }, acc, x,
      y);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> mulScalar(const Block &b, const ResiduesOf<Block> &x,
                                          uint32_t parameter) {
  const uint64_t scalar = b.parameters[parameter];
  return each(b, [&](Field::Word v) { return b.field.mulScalar(v, scalar); }, x);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> addScalar(const Block &b, const ResiduesOf<Block> &x,
                                          uint32_t parameter) {
  const uint64_t scalar = b.parameters[parameter];
  return each(b, [&](Field::Word v) { return b.field.addScalar(v, scalar); }, x);
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> subMulScalar(const Block &b, const ResiduesOf<Block> &x,
                                             const ResiduesOf<Block> &y, uint32_t parameter) {
  return mulScalar(b, sub(b, x, y), parameter);
}

//===- Sums of products, reduced once ===//

template <typename Block> SLUICE_DEVICE SumOf<Block> beginSum(const Block &b) {
  SumOf<Block> sum;
  sum.products = 0;
  forEachWord(b,
              [&](uint32_t thread, uint32_t e) { sum.values.of(thread)[e] = b.field.beginSum(); });
  return sum;
}

/// What a sum begins with counts as a product.
template <typename Block>
SLUICE_DEVICE SumOf<Block> beginSum(const Block &b, const ResiduesOf<Block> &acc) {
  SumOf<Block> sum;
  sum.products = 1;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    sum.values.of(thread)[e] = b.field.beginSum(acc.of(thread)[e]);
  });
  return sum;
}

template <typename Block>
SLUICE_DEVICE ResiduesOf<Block> reduceSum(const Block &b, const SumOf<Block> &sum) {
  return each(b, [&](const Field::Sum &v) { return b.field.reduceSum(v); }, sum.values);
}

template <typename Block>
SLUICE_DEVICE void addProduct(const Block &b, SumOf<Block> &sum, const ResiduesOf<Block> &x,
                              const ResiduesOf<Block> &y) {
  if (sum.products == Field::maxProducts)
    sum = beginSum(b, reduceSum(b, sum));
  ++sum.products;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    b.field.addProduct(sum.values.of(thread)[e], x.of(thread)[e], y.of(thread)[e]);
  });
}

//===- Stores ===//

template <typename Block>
SLUICE_DEVICE void store(const Block &b, uint32_t parameter, const ResiduesOf<Block> &x) {
  uint64_t *words = address(b, parameter);
  SLUICE_FOR_THREADS(Block::threads) {
    SLUICE_UNROLL
    for (uint32_t e = 0; e < Block::perThread; e += 2)
      *reinterpret_cast<WordPair *>(words + b.position(thread, e)) = {
          b.field.toResidue(x.of(thread)[e]), b.field.toResidue(x.of(thread)[e + 1])};
  }
}

template <typename Block>
SLUICE_DEVICE void storeHalf(const Block &b, uint32_t parameter, const ResiduesOf<Block> &x) {
  uint64_t *words = address(b, parameter);
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    words[b.halfPosition(thread, e)] = Field::toHalf(x.of(thread)[e]);
  });
}

/// Names for the bodies of limb kernels.
template <typename BlockType> struct KernelScope {
  using Block = BlockType;
  using Residues = ResiduesOf<Block>;
  using Half = ResiduesOf<Block>;
  using Sum = SumOf<Block>;
};

#define SLUICE_LIMB_KERNEL_BLOCK_elements ::sluice::cuda::ElementsBlock<SLUICE_LOG_N>
#define SLUICE_LIMB_KERNEL_BLOCK_rows ::sluice::cuda::RowsBlock<SLUICE_LOG_N>

/// Defines kernel `name` with so many parameters for each limb, of kind elements or rows; what
/// follows is its body.
#define SLUICE_LIMB_KERNEL(name, count, kind)                                                      \
  struct name##_scope : ::sluice::cuda::KernelScope<SLUICE_LIMB_KERNEL_BLOCK_##kind> {             \
    static SLUICE_DEVICE void run(const Block &b);                                                 \
  };                                                                                               \
  SLUICE_KERNEL(name, SLUICE_LIMB_KERNEL_BLOCK_##kind, const uint64_t *, parameters) {             \
    using Block = SLUICE_LIMB_KERNEL_BLOCK_##kind;                                                 \
    SLUICE_SHARED(::sluice::cuda::Field::Word, exchange, Block::exchangeWords);                    \
    const uint64_t *own = parameters + static_cast<uint64_t>(index.y) * (count);                   \
    name##_scope::run(                                                                             \
        {own,                                                                                      \
         ::sluice::cuda::Field(*reinterpret_cast<const ::sluice::cuda::LimbConstants *>(own[0])),  \
         exchange, index.x});                                                                      \
  }                                                                                                \
  SLUICE_DEVICE void name##_scope::run(const Block &b)

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_LIMB_KERNEL_CUH
