//===- ntt_tables.cpp - the constants of one limb ---------------------------------------------===//
#include "runtime/ring/ntt_tables.h"

#include <algorithm>
#include <bit>
#include <span>

namespace sluice::ring {

constexpr unsigned logTwistedRow = std::bit_width(kernels::twistedRowWords) - 1;

/// Swaps neighbouring groups of `width` bits; `mask` covers the lower group of each pair.
static uint64_t swapGroups(uint64_t value, unsigned width, uint64_t mask) {
  return ((value >> width) & mask) | ((value & mask) << width);
}

uint64_t reverseBits(uint64_t value, unsigned bits) {
  value = swapGroups(value, 1, 0x5555555555555555);
  value = swapGroups(value, 2, 0x3333333333333333);
  value = swapGroups(value, 4, 0x0f0f0f0f0f0f0f0f);
  value = __builtin_bswap64(value);
  return bits == 0 ? 0 : value >> (64 - bits);
}

uint64_t primitiveRoot(const Modulus &q, unsigned logN) {
  uint64_t nonSquare = 2;
  while (q.pow(nonSquare, (q.value() - 1) / 2) != q.value() - 1)
    ++nonSquare;
  return q.pow(nonSquare, (q.value() - 1) >> (logN + 1));
}

/// Fills roots[i] = root^r(i) and their Shoup quotients.
static void fillRoots(const Modulus &q, unsigned logN, uint64_t root, uint64_t *roots,
                      uint64_t *quotients) {
  const size_t n = size_t{1} << logN;
  roots[0] = 1;
  // Index block + i, i < block, has one more bit than i, which stands for a power of root^(N / 2
  // block).
  for (size_t block = 1; block < n; block *= 2) {
    const uint64_t factor = q.pow(root, n / (2 * block));
    for (size_t i = 0; i < block; ++i)
      roots[block + i] = q.mul(roots[i], factor);
  }
  for (size_t i = 0; i < n; ++i)
    quotients[i] = q.shoupFactor(roots[i]).quotient;
}

static void centreRoots(uint64_t q, size_t n, const uint64_t *roots, double *centred) {
  for (size_t i = 0; i < n; ++i)
    centred[i] =
        static_cast<double>(static_cast<int64_t>(roots[i] > q / 2 ? roots[i] - q : roots[i]));
}

/// Appends base^k for k < 16, and their quotients of 52 bits.
static void fillPowers(const Modulus &q, uint64_t first, uint64_t base, uint64_t *powers,
                       uint64_t *quotients) {
  for (size_t k = 0; k < 16; ++k) {
    powers[k] = first;
    quotients[k] = q.shoupFactor(first).quotient >> 12;
    first = q.mul(first, base);
  }
}

/// What a twisted transform needs where `roots` are the powers of psi (or of its inverse). The
/// block of 16 words number b of row r is X^16 - eta^16 with eta = psi^(1 + 2 r(r) + 2 rows r(b)),
/// r being the reversal of the bits of a number of a row or block.
static void fillTwists(const Modulus &q, unsigned logN, uint64_t psi, const uint64_t *roots,
                       const uint64_t *quotients, std::span<kernels::TwistedRow> rows,
                       std::span<kernels::TwistedBlock> blocks) {
  const unsigned logRows = logN - std::min(logN, logTwistedRow), logBlocks = logN - logRows - 4;
  for (size_t row = 0; row < rows.size(); ++row) {
    kernels::TwistedRow &own = rows[row];
    const uint64_t eta = logRows == 0 ? 1 : q.pow(psi, 1 + 2 * reverseBits(row, logRows));
    fillPowers(q, 1, eta, own.twists, own.twistQuotients);
    fillPowers(q, roots[rows.size() + row], eta, own.rootTwists, own.rootTwistQuotients);
    for (size_t i = 1; i < blocks.size(); ++i) {
      const size_t stage = std::bit_width(i) - 1;
      const size_t root = ((rows.size() + row) << stage) + i - (size_t{1} << stage);
      own.roots[i] = roots[root];
      own.rootQuotients[i] = quotients[root] >> 12;
    }
  }
  for (size_t block = 0; block < blocks.size(); ++block) {
    const uint64_t exponent = (reverseBits(block, logBlocks) << (logRows + 1)) + (logRows == 0);
    fillPowers(q, 1, q.pow(psi, exponent), blocks[block].twists, blocks[block].twistQuotients);
  }
}

/// How many roots have 52-bit quotients too.
static size_t columnRoots(unsigned logN) { return std::min(size_t{1} << logN, kernels::maxRows); }

NttTables::NttTables(const Modulus &q, unsigned logN)
    : words(size_t{4} << logN),
      shortQuotients(std::make_unique_for_overwrite<uint64_t[]>(2 * columnRoots(logN))),
      centred(std::make_unique_for_overwrite<double[]>(size_t{2} << logN)) {
  const size_t n = size_t{1} << logN;
  const uint64_t psi = primitiveRoot(q, logN);
  uint64_t *roots = words.data();
  fillRoots(q, logN, psi, roots, roots + n);
  fillRoots(q, logN, q.inverse(psi), roots + 2 * n, roots + 3 * n);

  uint64_t *columnQuotients = shortQuotients.get(),
           *inverseColumnQuotients = columnQuotients + columnRoots(logN);
  for (size_t i = 0; i < columnRoots(logN); ++i) {
    columnQuotients[i] = roots[n + i] >> 12;
    inverseColumnQuotients[i] = roots[3 * n + i] >> 12;
  }

  if (logN >= 4) {
    const size_t rows = n / std::min(n, kernels::twistedRowWords), blocks = n / rows / 16;
    twistedRows.resize(2 * rows);
    twistedBlocks.resize(2 * blocks);
    fillTwists(q, logN, psi, roots, roots + n, std::span(twistedRows).first(rows),
               std::span(twistedBlocks).first(blocks));
    fillTwists(q, logN, q.inverse(psi), roots + 2 * n, roots + 3 * n,
               std::span(twistedRows).last(rows), std::span(twistedBlocks).last(blocks));
    limb.twists = {twistedRows.data(), twistedBlocks.data()};
    limb.inverseTwists = {twistedRows.data() + rows, twistedBlocks.data() + blocks};
  }

  centreRoots(q.value(), n, roots, centred.get());
  centreRoots(q.value(), n, roots + 2 * n, centred.get() + n);

  limb.prime = q.constants();
  limb.logN = logN;
  limb.roots = roots;
  limb.rootQuotients = roots + n;
  limb.inverseRoots = roots + 2 * n;
  limb.inverseRootQuotients = roots + 3 * n;
  limb.columnQuotients = columnQuotients;
  limb.inverseColumnQuotients = inverseColumnQuotients;
  limb.centredRoots = centred.get();
  limb.centredInverseRoots = centred.get() + n;
  const uint64_t inverseN = q.inverse(n);
  limb.inverseN = q.shoupFactor(inverseN);
  limb.inverseNRoot = q.shoupFactor(q.mul(inverseN, limb.inverseRoots[1]));
}

} // namespace sluice::ring
