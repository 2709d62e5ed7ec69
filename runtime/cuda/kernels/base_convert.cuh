//===- base_convert.cuh - centred base conversion between half forms, or between coefficients -===//
//
// A block has a tile of columns and all their rows. Sources first finish their inverse transforms
// and are multiplied by (D/q_k)^-1; destinations then sum over them, reduce once, and begin their
// transforms. The correction z is a sum of words, the same on every backend (kernels.h,
// baseConvert); it is computed once for some destinations.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_BASE_CONVERT_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_BASE_CONVERT_CUH

#include "runtime/cuda/kernels/limb_kernel.cuh"

namespace sluice::cuda {

/// Some columns of a limb, as a block of threads holds them.
template <unsigned LogN> struct ColumnsBlock {
  static constexpr unsigned logN = LogN, logLength = logRowsOf(LogN);
  static constexpr uint32_t columns = tileColumns(LogN);
  using Plan = PassPlan<logLength>;
  static constexpr uint32_t perThread = Plan::perThread;
  static constexpr uint32_t threads = columns << Plan::logLanes;
  static constexpr uint32_t exchangeWords = columns << logLength;
  static_assert(threads == columnsGeometry(LogN).threads, "the backend launches so many");

  uint32_t index; // of the tile

  static SLUICE_DEVICE uint32_t lane(uint32_t thread) { return thread / columns; }
  /// So that two lanes of half a warp use different halves of the banks.
  static SLUICE_DEVICE uint32_t place(uint32_t thread, uint32_t row) {
    return (row ^ (logLength < 3 ? 0 : (row >> 2) & 1)) * columns + thread % columns;
  }
  static SLUICE_DEVICE void barrier() { blockBarrier(); }
  static SLUICE_DEVICE uint32_t root(uint32_t) { return 1; }

  /// The word of row `row` in the thread's column.
  SLUICE_DEVICE uint32_t position(uint32_t thread, uint32_t row) const {
    return (row << logRowOf(LogN)) + index * columns + thread % columns;
  }
  SLUICE_DEVICE uint32_t outer(uint32_t thread, uint32_t e) const {
    return position(thread, Plan::outer(lane(thread), e));
  }
  SLUICE_DEVICE uint32_t inner(uint32_t thread, uint32_t e) const {
    return position(thread, Plan::inner(lane(thread), e));
  }
};

/// sluice_inverse_columns
template <unsigned LogN>
SLUICE_DEVICE void inverseColumns(const SourceParameters &source, BlockIndex index) {
  using Block = ColumnsBlock<LogN>;
  SLUICE_SHARED(Field::Word, exchange, Block::exchangeWords);
  const Block b = {index.x};
  const Field field(*source.limb);
  ResiduesOf<Block> x;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    x.of(thread)[e] = Field::fromHalf(source.source[b.inner(thread, e)]);
  });
  if constexpr (Block::logLength > 0)
    BlockTransform<Block>::template inverse<true>(field, x, exchange, Block::root,
                                                  {source.factor, source.rootFactor});
  else
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      x.of(thread)[e] = field.scale(x.of(thread)[e], source.factor);
    });
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    source.destination[b.outer(thread, e)] = field.toResidue(x.of(thread)[e]);
  });
}

/// sluice_forward_columns
template <unsigned LogN>
SLUICE_DEVICE void forwardColumns(const TransformParameters &limb, BlockIndex index) {
  using Block = ColumnsBlock<LogN>;
  SLUICE_SHARED(Field::Word, exchange, Block::exchangeWords);
  const Block b = {index.x};
  const Field field(*limb.limb);
  ResiduesOf<Block> x;
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    x.of(thread)[e] = field.beginForward(Field::fromResidue(limb.source[b.outer(thread, e)]));
  });
  BlockTransform<Block>::forward(field, x, exchange, Block::root);
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    limb.destination[b.inner(thread, e)] = Field::toHalf(x.of(thread)[e]);
  });
}

/// What the sources of a conversion add to z, in units of 2^-51.
SLUICE_DEVICE uint64_t shareOf(const LimbConstants &limb, uint64_t residue) {
  // floor((y 2^(52-b)) w / 2^52), w = floor(2^(b+51) / q) < 2^52
  return mulHigh(residue << (64 - static_cast<uint32_t>(limb.bits)), limb.barrett >> 3);
}

/// z at the block's words.
template <typename Block>
SLUICE_DEVICE Registers<uint64_t, Block::threads, Block::perThread>
corrections(const Block &b, const SourceParameters *sources, uint32_t sourceCount) {
  Registers<uint64_t, Block::threads, Block::perThread> z;
  forEachWord(b, [&](uint32_t thread, uint32_t e) { z.of(thread)[e] = uint64_t{1} << 50; });
  for (uint32_t k = 0; k < sourceCount; ++k) {
    const LimbConstants &limb = *sources[k].limb;
    const uint64_t *residues = sources[k].destination;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      z.of(thread)[e] += shareOf(limb, residues[b.outer(thread, e)]);
    });
  }
  forEachWord(b, [&](uint32_t thread, uint32_t e) { z.of(thread)[e] >>= 51; });
  return z;
}

/// sluice_convert_columns, and sluice_convert without the transform.
template <unsigned LogN, bool hasTransform>
SLUICE_DEVICE void convertColumns(const ConversionPart &part, BlockIndex index) {
  using Block = ColumnsBlock<LogN>;
  SLUICE_SHARED(Field::Word, exchange, Block::exchangeWords);
  const Block b = {index.x};
  const SourceParameters *sources = part.sources;
  const uint32_t sourceCount = part.sourceCount;
  const auto z = corrections(b, sources, sourceCount);
  for (uint32_t t = 0; t < part.destinationCount; ++t) {
    const DestinationParameters &destination = part.destinations[t];
    const Field field(*destination.limb);
    SumOf<Block> sum;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      sum.of(thread)[e] = field.beginSum(Field::Word(0));
      field.addProduct(sum.of(thread)[e], Field::fromResidue(z.of(thread)[e]),
                       Field::factorOf(destination.minusProduct));
    });
    for (uint32_t k = 0; k < sourceCount; ++k) {
      const uint64_t *residues = sources[k].destination;
      const Field::Word factor = Field::factorOf(destination.factors[k]);
      forEachWord(b, [&](uint32_t thread, uint32_t e) {
        field.addProduct(sum.of(thread)[e], Field::fromResidue(residues[b.outer(thread, e)]),
                         factor);
      });
    }
    ResiduesOf<Block> x;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      x.of(thread)[e] = field.reduceSum(sum.of(thread)[e]);
    });
    if constexpr (hasTransform) {
      BlockTransform<Block>::forward(field, x, exchange, Block::root);
      forEachWord(b, [&](uint32_t thread, uint32_t e) {
        destination.destination[b.inner(thread, e)] = Field::toHalf(x.of(thread)[e]);
      });
    } else {
      forEachWord(b, [&](uint32_t thread, uint32_t e) {
        destination.destination[b.outer(thread, e)] = field.toResidue(x.of(thread)[e]);
      });
    }
  }
}

/// sluice_scale
template <unsigned LogN>
SLUICE_DEVICE void scaleSource(const SourceParameters &source, BlockIndex index) {
  using Block = ElementsBlock<LogN>;
  const Field field(*source.limb);
  const Block b = {nullptr, field, nullptr, index.x};
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    const uint32_t i = b.position(thread, e);
    source.destination[i] =
        field.toResidue(field.scale(Field::fromResidue(source.source[i]), source.factor));
  });
}

/// A signed word modulo q.
SLUICE_DEVICE uint64_t reduceSigned(const LimbConstants &limb, int64_t value) {
  const IntegerField field(limb);
  const uint64_t size = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : value;
  const uint64_t residue = field.reduceWord(size);
  return value < 0 && residue != 0 ? limb.q - residue : residue;
}

/// sluice_reduce
template <unsigned LogN>
SLUICE_DEVICE void reduceCoefficients(const ReduceParameters &limb, BlockIndex index) {
  using Block = ElementsBlock<LogN>;
  const IntegerField field(*limb.limb);
  const Block b = {nullptr, Field(*limb.limb), nullptr, index.x};
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    const uint32_t i = b.position(thread, e);
    uint64_t residue = 0;
    if (i % limb.stride == 0) {
      const uint64_t k = i / limb.stride;
      residue = reduceSigned(*limb.limb, limb.low[k]);
      if (limb.high)
        residue = field.add(
            residue, field.scale(reduceSigned(*limb.limb, limb.high[k]), limb.limb->pow2To60));
    }
    limb.destination[i] = residue;
  });
}

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_BASE_CONVERT_CUH
