//===- parameter_search_test.cpp - parameters of leveled programs against a sweep -------------===//

#include "passes/algorithms/ParameterSearch.h"

#include "runtime/ring/primes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::algorithms {
namespace {

std::vector<uint64_t> primesNear(unsigned logN, unsigned bits, size_t count,
                                 std::span<const uint64_t> exclude) {
  const auto found = ring::nttPrimesNear(logN, bits, count, exclude);
  return found ? *found : std::vector<uint64_t>();
}

/// A product and two rotations on each of `depth` levels, values of at most 2.
CircuitFacts tower(unsigned depth) {
  CircuitFacts facts;
  facts.depth = depth;
  facts.baseLog2 = [](unsigned scaleLog2) { return scaleLog2 + 3.0; };
  facts.noiseLog2 = [](const NoiseParameters &noise) {
    return std::log2(128 * (keySwitchVariance(noise) + encryptionVariance(noise))) / 2 + 2;
  };
  facts.work.resize(depth + 1);
  for (unsigned i = 0; i < depth; ++i) {
    LevelWork &level = facts.work[i];
    level.tensors = level.relinearizations = level.rescales = 1;
    level.switches = 2;
    level.rotations = {1, 2};
  }
  return facts;
}

ParameterRequest request(double bits) {
  static constexpr double limits[] = {106, 214, 430, 868, 1747, 3523};
  ParameterRequest request;
  request.bits = bits;
  request.limitLog2 = [](unsigned logN) { return limits[logN - 12]; };
  return request;
}

/// The least time of any chain of one limb a level: every ring, scale and number of digits, made.
double sweep(const CircuitFacts &facts, const ParameterRequest &request) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned logN = 12; logN <= 15; ++logN)
    for (unsigned scale = 32; scale <= 50; ++scale)
      for (size_t digits = 1; digits <= facts.depth + 1; ++digits) {
        const auto chain = buildChain({logN, facts.depth, scale, unsigned(facts.baseLog2(scale))},
                                      digits, primesNear);
        if (!chain || chain->logQP() > request.limitLog2(logN))
          continue;
        NoiseParameters noise;
        noise.logN = logN;
        noise.hammingWeight = uniformTernaryWeight(logN);
        noise.specialLog2 = chain->logP;
        noise.digitsLog2 = chain->digitsLog2();
        if (scale - facts.noiseLog2(noise) < request.bits)
          continue;
        double ns = 0;
        for (size_t i = 0; i < facts.work.size(); ++i) {
          const std::vector<unsigned> &level = chain->levels[facts.depth - i];
          OperandSize size{logN, unsigned(level.size()), 0, unsigned(chain->special.size())};
          for (const std::vector<unsigned> &digit : chain->digits)
            size.digits += std::count(level.begin(), level.end(), digit.front());
          ns += latencyNs(facts.work[i], size, {}, kernelCosts(genericCosts(), logN));
        }
        least = std::min(least, ns);
      }
  return least;
}

TEST(ParameterSearch, FindsTheBestOfASweep) {
  for (unsigned depth : {1u, 2u, 4u, 6u, 9u})
    for (double bits : {12.0, 20.0, 27.0}) {
      SCOPED_TRACE(testing::Message() << "depth " << depth << ", " << bits << " bits");
      const CircuitFacts facts = tower(depth);
      const ParameterRequest wanted = request(bits);
      auto found = searchParameters(facts, wanted, genericCosts());
      const auto nested = std::find_if(found.begin(), found.end(), [&](auto &one) {
        return one.form == ChainForm::nested && one.refusal.empty() &&
               makeChain(one, facts, wanted, primesNear);
      });
      ASSERT_NE(nested, found.end());
      EXPECT_NEAR(nested->timeNs, sweep(facts, wanted), 1e-9 * nested->timeNs);
    }
}

// What a candidate says before it has primes is what its chain is.
TEST(ParameterSearch, ChainsAreAsExpected) {
  const CircuitFacts facts = tower(9);
  for (ParameterCandidate &one : searchParameters(facts, request(30), genericCosts())) {
    if (!one.refusal.empty())
      continue;
    SCOPED_TRACE(testing::Message() << chainFormName(one.form) << " " << one.special);
    const ParameterCandidate before = one;
    const auto chain = makeChain(one, facts, request(30), primesNear);
    ASSERT_TRUE(chain) << one.refusal;
    EXPECT_EQ(chain->levels.size(), 10u);
    EXPECT_NEAR(one.logQ, before.logQ, 2.5);
    EXPECT_NEAR(one.logP, before.logP, 0.5);
    EXPECT_LE(one.logQP(), request(30).limitLog2(one.logN));
    // Digits of full words begin with the small limbs, and may be one more.
    EXPECT_LE(one.digits, before.digits + (one.form == ChainForm::packed ? 1 : 0));
    for (double digit : chain->digitsLog2())
      EXPECT_LE(digit, chain->logP + 1e-6);
  }
}

TEST(ParameterSearch, SortsByTimeAndRefusesLast) {
  const auto found = searchParameters(tower(6), request(20), genericCosts());
  bool isRefused = false;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_LE(isRefused, !found[i].refusal.empty());
    isRefused = !found[i].refusal.empty();
    if (i > 0 && !isRefused)
      EXPECT_LE(found[i - 1].timeNs, found[i].timeNs);
  }
  EXPECT_TRUE(isRefused); // N = 2^12 has no room
  EXPECT_EQ(found.back().refusal.substr(0, 6), "log QP");
}

// Beyond one limb a level there are full words; beyond what doubles tell apart, nothing.
TEST(ParameterSearch, PrecisionDecidesTheForm) {
  const auto first = [](double bits) {
    return searchParameters(tower(3), request(bits), genericCosts()).front();
  };
  EXPECT_EQ(first(30).form, ChainForm::nested);
  EXPECT_TRUE(first(42).refusal.empty());
  EXPECT_EQ(first(42).form, ChainForm::packed);
  EXPECT_GT(first(42).scaleLog2, 50u);
  EXPECT_FALSE(first(60).refusal.empty());
  const auto most = mostBits(tower(3), request(60), primesNear);
  ASSERT_TRUE(most);
  EXPECT_TRUE(first(*most).refusal.empty());
  EXPECT_FALSE(first(*most + 1).refusal.empty());
}

} // namespace
} // namespace sluice::algorithms
