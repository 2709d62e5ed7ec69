//===- base_convert.cuh - centred base conversion between half forms, or between coefficients -===//
//
// A block has a tile of columns and all their rows. Sources first finish their inverse transforms
// and are multiplied by (D/q_k)^-1; destinations then sum over them, reduce once, and begin their
// transforms. The correction z is a sum of words, the same on every backend (kernels.h,
// baseConvert). A block reads its sources once, for some destinations, and keeps them in shared
// memory: each thread the words that it reads itself.
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
  /// So that the lanes of half a warp, 16 / columns, use different banks.
  static SLUICE_DEVICE uint32_t place(uint32_t thread, uint32_t row) {
    constexpr uint32_t lanes = columns < 16 ? 16 / columns : 1;
    return (row ^ (logLength < 3 ? 0 : (row >> 2) & (lanes < 4 ? lanes - 1 : 3))) * columns +
           thread % columns;
  }
  static SLUICE_DEVICE void barrier() { blockBarrier(); }
  static SLUICE_DEVICE uint32_t root(uint32_t) { return 1; }
  static constexpr bool hasManyRoots = false; // those of all columns are the same

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
  BlockTransform<Block>::template forward<1>(&field, &x, exchange, Block::root);
  forEachWord(b, [&](uint32_t thread, uint32_t e) {
    limb.destination[b.inner(thread, e)] = Field::toHalf(x.of(thread)[e]);
  });
}

/// What the sources of a conversion add to z, in units of 2^-51.
SLUICE_DEVICE uint64_t shareOf(const LimbConstants &limb, uint64_t residue) {
  // floor((y 2^(52-b)) w / 2^52), w = floor(2^(b+51) / q) < 2^52
  return mulHigh(residue << (64 - static_cast<uint32_t>(limb.bits)), limb.barrett >> 3);
}

/// What a block of conversions has in shared memory that its launch gives it.
template <typename Block> struct ConversionRoom {
  const ConversionPart &part;
  Field::Word *held;                         // word e of all threads side by side: z, then sources
  Field::Word *factors;                      // of each destination: that of z, then of all sources
  DestinationParameters *const destinations; // with limbs[t] for limb
  LimbConstants *const limbs;

  SLUICE_DEVICE ConversionRoom(const ConversionPart &part, Field::Word *room)
      : part(part), held(room), factors(held + (1 + part.heldCount) * Block::exchangeWords),
        destinations(reinterpret_cast<DestinationParameters *>(
            factors + part.destinationCount * (1 + part.sourceCount))),
        limbs(reinterpret_cast<LimbConstants *>(destinations + part.destinationCount)) {}

  /// What destinations need, so that blocks wait for the device's memory once.
  SLUICE_DEVICE void readDestinations() const {
    const uint32_t rows = 1 + part.sourceCount;
    SLUICE_FOR_THREADS(Block::threads) {
      for (uint32_t i = thread; i < part.destinationCount * rows; i += Block::threads) {
        const DestinationParameters &destination = part.destinations[i / rows];
        const uint32_t k = i % rows;
        factors[i] =
            Field::factorOf(k == 0 ? destination.minusProduct : destination.factors[k - 1]);
      }
      for (uint32_t t = thread; t < part.destinationCount; t += Block::threads) {
        destinations[t] = part.destinations[t];
        limbs[t] = *part.destinations[t].limb;
      }
    }
  }
};

/// z and the sources of a conversion at the words of a block.
template <typename Block> struct ConversionSources {
  const Block &b;
  const ConversionRoom<Block> &room;

  static SLUICE_DEVICE uint32_t place(uint32_t row, uint32_t thread, uint32_t e) {
    return (row * Block::perThread + e) * Block::threads + thread;
  }
  SLUICE_DEVICE uint64_t residue(uint32_t source, uint32_t thread, uint32_t e) const {
    return room.part.sources[source].destination[b.outer(thread, e)];
  }

  SLUICE_DEVICE void read() const {
    Registers<uint64_t, Block::threads, Block::perThread> z, next;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      z.of(thread)[e] = uint64_t{1} << 50;
      next.of(thread)[e] = residue(0, thread, e);
    });
    for (uint32_t k = 0; k < room.part.sourceCount; ++k) {
      const Registers<uint64_t, Block::threads, Block::perThread> words = next;
      if (k + 1 < room.part.sourceCount)
        forEachWord(b, [&](uint32_t thread, uint32_t e) {
          next.of(thread)[e] = residue(k + 1, thread, e);
        });
      const LimbConstants &limb = *room.part.sources[k].limb;
      forEachWord(b, [&](uint32_t thread, uint32_t e) {
        z.of(thread)[e] += shareOf(limb, words.of(thread)[e]);
        if (k < room.part.heldCount)
          room.held[place(k + 1, thread, e)] = Field::fromResidue(words.of(thread)[e]);
      });
    }
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      room.held[place(0, thread, e)] = Field::fromResidue(z.of(thread)[e] >> 51);
    });
  }

  /// Of z, which is row 0, or of source `row` - 1.
  SLUICE_DEVICE Field::Word held(uint32_t row, uint32_t thread, uint32_t e) const {
    return room.held[place(row, thread, e)];
  }
};

/// Sums of some words of each thread for `Count` destinations, which share what is read.
template <typename Block, unsigned Count, uint32_t Words> struct ConversionSums {
  const Field *fields;
  Registers<Field::Sum, Block::threads, Words> sums[Count];
  uint32_t products = 0; // in each

  SLUICE_DEVICE explicit ConversionSums(const Field *fields) : fields(fields) {
    forEachSum(
        [&](uint32_t, uint32_t, unsigned i, Field::Sum &sum) { sum = fields[i].beginSum(); });
  }

  template <typename Body> SLUICE_DEVICE void forEachSum(const Body &body) {
    SLUICE_FOR_THREADS(Block::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i) {
        SLUICE_UNROLL
        for (uint32_t e = 0; e < Words; ++e)
          body(thread, e, i, sums[i].of(thread)[e]);
      }
    }
  }

  /// How many of `count` products there is room for, which there is for one at least then.
  SLUICE_DEVICE uint32_t makeRoom(uint32_t count) {
    if (products == Field::maxProducts) {
      forEachSum([&](uint32_t, uint32_t, unsigned i, Field::Sum &sum) {
        sum = fields[i].beginSum(fields[i].reduceSum(sum));
      });
      products = 1;
    }
    const uint32_t room = Field::maxProducts - products;
    return count < room ? count : room;
  }

  /// Adds word(thread, e) times factor(i).
  template <typename WordAt, typename FactorOf>
  SLUICE_DEVICE void add(const WordAt &word, const FactorOf &factor) {
    Registers<Field::Word, Block::threads, Words> words;
    SLUICE_FOR_THREADS(Block::threads) {
      SLUICE_UNROLL
      for (uint32_t e = 0; e < Words; ++e)
        words.of(thread)[e] = word(thread, e);
    }
    Field::Word factors[Count];
    SLUICE_UNROLL
    for (unsigned i = 0; i < Count; ++i)
      factors[i] = factor(i);
    forEachSum([&](uint32_t thread, uint32_t e, unsigned i, Field::Sum &sum) {
      fields[i].addProduct(sum, words.of(thread)[e], factors[i]);
    });
  }
};

/// The sums over all sources at words `First` to `First` + `Words` - 1 of each thread, for
/// destinations t to t + `Count` - 1.
template <typename Block, unsigned Count, uint32_t First, uint32_t Words>
SLUICE_DEVICE void convertWords(const ConversionSources<Block> &sources, uint32_t t,
                                const Field *fields, ResiduesOf<Block> *x) {
  const ConversionPart &part = sources.room.part;
  const uint32_t rows = 1 + part.sourceCount, heldRows = 1 + part.heldCount;
  const Field::Word *factors = sources.room.factors + t * rows;
  ConversionSums<Block, Count, Words> sums(fields);
  for (uint32_t row = 0; row < heldRows;) {
    const uint32_t count = sums.makeRoom(heldRows - row);
    sums.products += count;
    SLUICE_UNROLL_BY(4)
    for (const uint32_t end = row + count; row < end; ++row)
      sums.add([&](uint32_t thread, uint32_t e) { return sources.held(row, thread, First + e); },
               [&](unsigned i) { return factors[i * rows + row]; });
  }
  for (uint32_t k = part.heldCount; k < part.sourceCount; ++k) {
    sums.products += sums.makeRoom(1);
    sums.add([&](uint32_t thread,
                 uint32_t e) { return Field::fromResidue(sources.residue(k, thread, First + e)); },
             [&](unsigned i) { return factors[i * rows + k + 1]; });
  }
  sums.forEachSum([&](uint32_t thread, uint32_t e, unsigned i, Field::Sum &sum) {
    x[i].of(thread)[First + e] = fields[i].reduceSum(sum);
  });
}

/// Destinations t to t + `Count` - 1 at once.
template <typename Block, unsigned Count, bool hasTransform>
SLUICE_DEVICE void convertTo(const ConversionSources<Block> &sources, uint32_t t,
                             Field::Word *exchange) {
  const Block &b = sources.b;
  const LimbConstants *limbs = sources.room.limbs + t;
  const Field fields[] = {Field(limbs[0]), Field(limbs[Count - 1])};
  ResiduesOf<Block> x[Count];
  constexpr uint32_t half = (Block::perThread + 1) / 2;
  convertWords<Block, Count, 0, half>(sources, t, fields, x);
  if constexpr (Block::perThread > half)
    convertWords<Block, Count, half, Block::perThread - half>(sources, t, fields, x);
  if constexpr (hasTransform)
    BlockTransform<Block>::template forward<Count>(fields, x, exchange, Block::root);
  SLUICE_UNROLL
  for (unsigned i = 0; i < Count; ++i) {
    uint64_t *destination = sources.room.destinations[t + i].destination;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      const Field::Word word = x[i].of(thread)[e];
      if constexpr (hasTransform)
        destination[b.inner(thread, e)] = Field::toHalf(word);
      else
        destination[b.outer(thread, e)] = fields[i].toResidue(word);
    });
  }
}

/// sluice_convert_columns, and sluice_convert without the transform.
template <unsigned LogN, bool hasTransform>
SLUICE_DEVICE void convertColumns(const ConversionPart &part, BlockIndex index) {
  using Block = ColumnsBlock<LogN>;
  SLUICE_SHARED(Field::Word, exchange, 2 * Block::exchangeWords);
  SLUICE_LAUNCHED_SHARED(
      Field::Word, room,
      conversionBytes(LogN, part.heldCount, part.sourceCount, part.destinationCount) /
          sizeof(Field::Word));
  const Block b = {index.x};
  const ConversionRoom<Block> all(part, room);
  const ConversionSources<Block> sources = {b, all};
  all.readDestinations();
  sources.read();
  blockBarrier();
  uint32_t t = 0;
  for (; t + 2 <= part.destinationCount; t += 2)
    convertTo<Block, 2, hasTransform>(sources, t, exchange);
  if (t < part.destinationCount)
    convertTo<Block, 1, hasTransform>(sources, t, exchange);
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
