//===- base_convert.cuh - centred base conversion between half forms, or between coefficients -===//
//
// A block has a tile of columns and all their rows. Sources first finish their inverse transforms
// and are multiplied by (D/q_k)^-1; destinations then sum over them, reduce once, and begin their
// transforms. The correction z is a sum of words, the same on every backend (kernels.h,
// baseConvert). A block reads as many sources as there is room for once, for some destinations, and
// keeps them in shared memory, each thread the words that it reads itself; the others it reads
// again for each two destinations.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_BASE_CONVERT_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_BASE_CONVERT_CUH

#include "runtime/cuda/kernels/limb_kernel.cuh"

#include <new>

namespace sluice::cuda {

/// Some columns of a limb, as a block of threads holds them.
template <unsigned LogN, uint32_t Columns> struct ColumnsBlock {
  static constexpr unsigned logN = LogN, logLength = logRowsOf(LogN);
  static constexpr uint32_t columns = Columns;
  using Plan = PassPlan<logLength, true>;
  static constexpr uint32_t perThread = Plan::perThread;
  static constexpr uint32_t threads = columns << Plan::logLanes;
  static constexpr uint32_t exchangeWords = columns << logLength;
  static_assert(threads == tileGeometry(LogN, columns).threads, "the backend launches so many");

  uint32_t index; // of the tile

  static SLUICE_DEVICE uint32_t lane(uint32_t thread) { return thread / columns; }
  /// So that the lanes of half a warp, 16 / columns, use different banks in every pass of 256.
  static SLUICE_DEVICE uint32_t place(uint32_t thread, uint32_t row) {
    constexpr uint32_t lanes = columns < 16 ? 16 / columns : 1;
    return (row ^ (logLength < 5 ? 0 : (row >> 3) & (lanes < 4 ? lanes - 1 : 3))) * columns +
           thread % columns;
  }
  /// From the second pass on, words meet others of their block of 2^(logLength - 3 pass) rows.
  static SLUICE_CONSTANT bool isInWarp(unsigned pass) {
    return pass > 0 && (columns << logLength >> (3 * pass + 3)) <= 32;
  }
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

template <unsigned LogN> using TransformBlock = ColumnsBlock<LogN, transformColumns>;
template <unsigned LogN> using ConversionBlock = ColumnsBlock<LogN, conversionColumns>;

/// sluice_inverse_columns
template <unsigned LogN>
SLUICE_DEVICE void inverseColumns(const SourceParameters &source, BlockIndex index) {
  using Block = TransformBlock<LogN>;
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
  using Block = TransformBlock<LogN>;
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

/// What destinations of a part need, in shared memory, so that blocks wait for the device's memory
/// once for some of them.
template <typename Block> struct DestinationsAtHand {
  Field *fields;
  uint64_t **places;
  Field::Word *factors; // of each destination: that of z, then of all sources
  uint32_t rows;        // so many

  SLUICE_DEVICE DestinationsAtHand(Field::Word *room, uint32_t sourceCount)
      : fields(reinterpret_cast<Field *>(room)),
        places(reinterpret_cast<uint64_t **>(room + destinationsAtHand * fieldBytes / 8)),
        factors(room + destinationsAtHand * (fieldBytes / 8 + 1)), rows(1 + sourceCount) {
    static_assert(sizeof(Field) <= fieldBytes);
  }

  SLUICE_DEVICE void read(const DestinationParameters *destinations, uint32_t count) const {
    SLUICE_FOR_THREADS(Block::threads) {
      for (uint32_t i = thread; i < count * rows; i += Block::threads) {
        const DestinationParameters &destination = destinations[i / rows];
        const uint32_t k = i % rows;
        factors[i] =
            Field::factorOf(k == 0 ? destination.minusProduct : destination.factors[k - 1]);
      }
      for (uint32_t t = thread; t < count; t += Block::threads) {
        new (&fields[t]) Field(*destinations[t].limb);
        places[t] = destinations[t].destination;
      }
    }
  }
};

/// z and the sources of a conversion at the words of a block.
template <typename Block> struct ConversionSources {
  const Block &b;
  const ConversionPart &part;
  Field::Word *held; // word e of all threads side by side, source after source
  // z of all words of a thread, eight bits each: programs have fewer sources (kernels.h).
  Registers<uint64_t, Block::threads, 1> z;

  static SLUICE_DEVICE uint32_t place(uint32_t source, uint32_t thread, uint32_t e) {
    return (source * Block::perThread + e) * Block::threads + thread;
  }
  SLUICE_DEVICE uint64_t residue(uint32_t source, uint32_t thread, uint32_t e) const {
    return part.sources[source].destination[b.outer(thread, e)];
  }

  SLUICE_DEVICE void read() {
    Registers<uint64_t, Block::threads, Block::perThread> sums, next;
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      sums.of(thread)[e] = uint64_t{1} << 50;
      next.of(thread)[e] = residue(0, thread, e);
    });
    for (uint32_t k = 0; k < part.sourceCount; ++k) {
      const Registers<uint64_t, Block::threads, Block::perThread> words = next;
      if (k + 1 < part.sourceCount)
        forEachWord(b, [&](uint32_t thread, uint32_t e) {
          next.of(thread)[e] = residue(k + 1, thread, e);
        });
      const LimbConstants &limb = *part.sources[k].limb;
      forEachWord(b, [&](uint32_t thread, uint32_t e) {
        sums.of(thread)[e] += shareOf(limb, words.of(thread)[e]);
        if (k < part.heldCount)
          held[place(k, thread, e)] = Field::fromResidue(words.of(thread)[e]);
      });
    }
    SLUICE_FOR_THREADS(Block::threads) {
      uint64_t all = 0;
      SLUICE_UNROLL
      for (uint32_t e = 0; e < Block::perThread; ++e)
        all |= (sums.of(thread)[e] >> 51) << (8 * e);
      z.of(thread)[0] = all;
    }
  }

  SLUICE_DEVICE Field::Word zOf(uint32_t thread, uint32_t e) const {
    return Field::fromResidue((z.of(thread)[0] >> (8 * e)) & 0xff);
  }
  SLUICE_DEVICE Field::Word heldWord(uint32_t source, uint32_t thread, uint32_t e) const {
    return held[place(source, thread, e)];
  }
};

/// Sums for `Count` destinations, which share what is read.
template <typename Block, unsigned Count> struct ConversionSums {
  const Field *fields;
  Registers<Field::Sum, Block::threads, Block::perThread> sums[Count];
  // In each: since low was last settled, and since the sum was last reduced.
  uint32_t products = 0, all = 0;

  SLUICE_DEVICE explicit ConversionSums(const Field *fields) : fields(fields) {
    forEachSum(
        [&](uint32_t, uint32_t, unsigned i, Field::Sum &sum) { sum = fields[i].beginSum(); });
  }

  template <typename Body> SLUICE_DEVICE void forEachSum(const Body &body) {
    SLUICE_FOR_THREADS(Block::threads) {
      SLUICE_UNROLL
      for (unsigned i = 0; i < Count; ++i) {
        SLUICE_UNROLL
        for (uint32_t e = 0; e < Block::perThread; ++e)
          body(thread, e, i, sums[i].of(thread)[e]);
      }
    }
  }

  /// How many of `count` products there is room for, at least one; they are counted.
  SLUICE_DEVICE uint32_t makeRoom(uint32_t count) {
    if (products == Field::maxProducts) {
      const bool isFull = all > Field::maxProducts;
      forEachSum([&](uint32_t, uint32_t, unsigned i, Field::Sum &sum) {
        sum = isFull ? fields[i].beginSum(fields[i].reduceSum(sum)) : fields[i].settledLow(sum);
      });
      products = 1;
      all = isFull ? 1 : all;
    }
    const uint32_t room = Field::maxProducts - products;
    count = count < room ? count : room;
    products += count;
    all += count;
    return count;
  }

  /// Adds word(thread, e) times factor(i).
  template <typename WordAt, typename FactorOf>
  SLUICE_DEVICE void add(const WordAt &word, const FactorOf &factor) {
    ResiduesOf<Block> words;
    SLUICE_FOR_THREADS(Block::threads) {
      SLUICE_UNROLL
      for (uint32_t e = 0; e < Block::perThread; ++e)
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

/// The sums over all sources for destinations t to t + `Count` - 1 of those at hand.
template <typename Block, unsigned Count>
SLUICE_DEVICE void sumSources(const ConversionSources<Block> &sources,
                              const DestinationsAtHand<Block> &destinations, uint32_t t,
                              const Field *fields, ResiduesOf<Block> *x) {
  const ConversionPart &part = sources.part;
  const uint32_t rows = destinations.rows;
  const Field::Word *factors = destinations.factors + t * rows;
  ConversionSums<Block, Count> sums(fields);
  sums.makeRoom(1);
  sums.add([&](uint32_t thread, uint32_t e) { return sources.zOf(thread, e); },
           [&](unsigned i) { return factors[i * rows]; });
  for (uint32_t k = 0; k < part.heldCount;) {
    const uint32_t count = sums.makeRoom(part.heldCount - k);
    SLUICE_UNROLL_BY(4)
    for (const uint32_t end = k + count; k < end; ++k)
      sums.add([&](uint32_t thread, uint32_t e) { return sources.heldWord(k, thread, e); },
               [&](unsigned i) { return factors[i * rows + k + 1]; });
  }
  for (uint32_t k = part.heldCount; k < part.sourceCount; ++k) {
    sums.makeRoom(1);
    sums.add([&](uint32_t thread,
                 uint32_t e) { return Field::fromResidue(sources.residue(k, thread, e)); },
             [&](unsigned i) { return factors[i * rows + k + 1]; });
  }
  sums.forEachSum([&](uint32_t thread, uint32_t e, unsigned i, Field::Sum &sum) {
    x[i].of(thread)[e] = fields[i].reduceSum(sum);
  });
}

/// Destinations t to t + `Count` - 1 at once.
template <typename Block, unsigned Count, bool hasTransform>
SLUICE_DEVICE void convertTo(const ConversionSources<Block> &sources,
                             const DestinationsAtHand<Block> &destinations, uint32_t t,
                             Field::Word *exchange) {
  const Block &b = sources.b;
  const Field fields[] = {destinations.fields[t], destinations.fields[t + Count - 1]};
  ResiduesOf<Block> x[Count];
  sumSources<Block, Count>(sources, destinations, t, fields, x);
  if constexpr (hasTransform)
    BlockTransform<Block>::template forward<Count>(fields, x, exchange, Block::root);
  SLUICE_UNROLL
  for (unsigned i = 0; i < Count; ++i) {
    uint64_t *destination = destinations.places[t + i];
    forEachWord(b, [&](uint32_t thread, uint32_t e) {
      const Field::Word word = x[i].of(thread)[e];
      if constexpr (hasTransform)
        destination[b.inner(thread, e)] = Field::toHalf(word);
      else
        destination[b.outer(thread, e)] = fields[i].toResidue(word);
    });
  }
}

/// Bytes that the parts of a share need.
template <unsigned LogN> SLUICE_DEVICE uint32_t conversionRoom(const ConversionShare &share) {
  uint32_t bytes = 0;
  for (uint64_t i = 0; i < share.count; ++i) {
    const uint32_t own =
        conversionBytes(LogN, share.parts[i].heldCount, share.parts[i].sourceCount);
    bytes = own > bytes ? own : bytes;
  }
  return bytes;
}

template <unsigned LogN, bool hasTransform>
SLUICE_DEVICE void convertPart(const ConversionPart &part, Field::Word *exchange,
                               Field::Word *room) {
  using Block = ConversionBlock<LogN>;
  const Block b = {part.tile};
  const DestinationsAtHand<Block> destinations(room, part.sourceCount);
  ConversionSources<Block> sources = {
      b, part, destinations.factors + destinationsAtHand * destinations.rows, {}};
  for (uint32_t first = 0; first < part.destinationCount; first += destinationsAtHand) {
    const uint32_t left = part.destinationCount - first,
                   count = left < destinationsAtHand ? left : destinationsAtHand;
    destinations.read(part.destinations + first, count);
    if (first == 0)
      sources.read(); // after the others, so that it waits for both
    for (uint32_t t = 0; t < count; t += 2) {
      blockBarrier(); // what is at hand is there, and the exchange was read
      if (t + 2 <= count)
        convertTo<Block, 2, hasTransform>(sources, destinations, t, exchange);
      else
        convertTo<Block, 1, hasTransform>(sources, destinations, t, exchange);
    }
    blockBarrier(); // what is at hand was read
  }
}

/// sluice_convert_columns, and sluice_convert without the transform.
template <unsigned LogN, bool hasTransform>
SLUICE_DEVICE void convertColumns(const ConversionShare &share) {
  SLUICE_SHARED(Field::Word, exchange, 2 * ConversionBlock<LogN>::exchangeWords);
  SLUICE_LAUNCHED_SHARED(Field::Word, room, conversionRoom<LogN>(share) / sizeof(Field::Word));
  for (uint64_t i = 0; i < share.count; ++i)
    convertPart<LogN, hasTransform>(share.parts[i], exchange, room);
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
