//===- launch_joiner_test.cpp - joined launches against the same ones one after the other -----===//

#include "passes/driver/LaunchJoiner.h"

#include "llvm/ADT/Hashing.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace sluice;

namespace {

using enum LaunchParameterKind;

uint64_t slotWord(uint64_t number) { return launchParameter(slot, number); }

/// A limb kernel from the slots `from` to slots `to`: one limb for each pair.
Launch loop(uint32_t number, std::vector<uint32_t> to, std::vector<uint32_t> from) {
  Launch launch;
  launch.number = number;
  launch.limbs = static_cast<uint32_t>(to.size());
  for (size_t i = 0; i < to.size(); ++i)
    for (uint64_t word : {launchParameter(limb, i), slotWord(to[i]), slotWord(from[i])})
      launch.parameters.push_back(word);
  return launch;
}

Launch conversion(std::vector<uint32_t> to, std::vector<uint32_t> from,
                  LaunchKind kind = LaunchKind::baseConvertColumns) {
  Launch launch;
  launch.kind = kind;
  launch.conversions = {{static_cast<uint32_t>(to.size()), static_cast<uint32_t>(from.size())}};
  for (uint32_t number : to)
    launch.destinations.push_back({0, number});
  for (uint32_t number : from)
    launch.sources.push_back({0, number});
  return launch;
}

Launch stage() {
  Launch launch;
  launch.kind = LaunchKind::beginStage;
  return launch;
}

/// Two kernels of three parameters and one output.
LaunchList joined(std::vector<Launch> launches, const JoinBounds &bounds = {}) {
  LaunchList list;
  list.kernels = {{LimbKernelKind::elements, 3, 1}, {LimbKernelKind::rows, 3, 1}};
  list.launches = std::move(launches);
  joinLaunches(list, bounds);
  return list;
}

size_t countJoined(std::vector<Launch> launches, const JoinBounds &bounds = {}) {
  return joined(std::move(launches), bounds).launches.size();
}

TEST(LaunchJoiner, JoinsWhatIsIndependent) {
  LaunchList list = joined({loop(0, {10}, {1}), conversion({20}, {2}), loop(0, {11, 12}, {1, 3}),
                            conversion({21, 22}, {2, 3, 4})});
  ASSERT_EQ(list.launches.size(), 2u);
  EXPECT_EQ(list.launches[0].limbs, 3u);
  EXPECT_EQ(list.launches[0].parameters.size(), 9u);
  EXPECT_EQ(list.launches[0].parameters[4], slotWord(11));
  ASSERT_EQ(list.launches[1].conversions.size(), 2u);
  EXPECT_EQ(list.launches[1].conversions[1].destinations, 2u);
  EXPECT_EQ(list.launches[1].conversions[1].sources, 3u);
  EXPECT_EQ(list.launches[1].destinations[1].slot, 21u);
  EXPECT_EQ(list.launches[1].sources[1].slot, 2u);
}

TEST(LaunchJoiner, OnlyLaunchesOfOneKernel) {
  EXPECT_EQ(countJoined({loop(0, {10}, {1}), loop(1, {11}, {1})}), 2u);
  EXPECT_EQ(countJoined({conversion({10}, {1}), conversion({11}, {1}, LaunchKind::baseConvert)}),
            2u);
}

/// The second one needs, changes or spoils what the first one works on.
TEST(LaunchJoiner, NotWhatWaitsForTheOther) {
  EXPECT_EQ(countJoined({loop(0, {10}, {1}), loop(0, {11}, {10})}), 2u);
  EXPECT_EQ(countJoined({loop(0, {10}, {1}), loop(0, {10}, {2})}), 2u);
  EXPECT_EQ(countJoined({loop(0, {10}, {1}), loop(0, {1}, {2})}), 2u);
  EXPECT_EQ(countJoined({conversion({10}, {1}), conversion({11}, {10})}), 2u);
  EXPECT_EQ(countJoined({conversion({10}, {1}), conversion({10}, {2})}), 2u);
}

TEST(LaunchJoiner, AConversionMayWriteWhatAnEarlierOneReads) {
  EXPECT_EQ(countJoined({conversion({10}, {1}), conversion({1}, {2})}), 1u);
  // But not what something between reads.
  EXPECT_EQ(countJoined({conversion({10}, {1}), loop(0, {11}, {3}), conversion({3}, {2})}), 3u);
}

/// The launch between: the last one may not pass it, unless they have nothing in common.
TEST(LaunchJoiner, NotPastWhatItWaitsFor) {
  auto around = [](Launch between) {
    return countJoined({loop(0, {10}, {1}), std::move(between), loop(0, {11}, {2})});
  };
  EXPECT_EQ(around(loop(1, {12}, {10})), 2u);
  EXPECT_EQ(around(loop(1, {12}, {2})), 2u);
  EXPECT_EQ(around(loop(1, {2}, {3})), 3u);
  EXPECT_EQ(around(loop(1, {11}, {3})), 3u);
  EXPECT_EQ(around(loop(1, {12}, {11})), 3u);
}

TEST(LaunchJoiner, NotPastTheBeginningOfAStage) {
  EXPECT_EQ(countJoined({loop(0, {10}, {1}), stage(), loop(0, {11}, {1})}), 3u);
}

TEST(LaunchJoiner, StaysInsideOfItsBounds) {
  std::vector<Launch> loops = {loop(0, {10, 11}, {1, 1}), loop(0, {12, 13}, {1, 1})};
  EXPECT_EQ(countJoined(loops, {.limbs = 3}), 2u);
  EXPECT_EQ(countJoined(loops, {.limbs = 4}), 1u);
  std::vector<Launch> conversions = {conversion({10}, {1, 2}), conversion({11}, {1, 2})};
  EXPECT_EQ(countJoined(conversions, {.sources = 3}), 2u);
  EXPECT_EQ(countJoined(conversions, {.sources = 4}), 1u);
  EXPECT_EQ(countJoined(conversions, {.limbs = 1}), 2u);
  std::vector<Launch> keys = {loop(0, {10}, {1}), loop(0, {11}, {1})};
  keys[0].parameters[2] = launchParameter(keyRowA, 1);
  keys[1].parameters[2] = launchParameter(keyRowB, 1);
  EXPECT_EQ(countJoined(keys, {.keyRows = 1}), 2u);
  EXPECT_EQ(countJoined(keys, {.keyRows = 2}), 1u);
  std::vector<Launch> far = {loop(0, {10}, {1}), loop(1, {11}, {1}), loop(0, {12}, {1})};
  EXPECT_EQ(countJoined(far, {.window = 1}), 3u);
  EXPECT_EQ(countJoined(far, {.window = 2}), 2u);
}

/// An arena whose slots hold numbers that tell what was computed from what.
class Arena {
public:
  explicit Arena(uint32_t seed) : random(seed), slots(20) {
    std::iota(slots.begin(), slots.end(), 0);
  }

  /// All limbs of a launch in random order, but sources of conversions before all destinations.
  void run(const Launch &launch) {
    if (launch.kind == LaunchKind::limbKernel)
      return inRandomOrder(launch.limbs, [&](size_t i) {
        const uint64_t *words = &launch.parameters[3 * i];
        slots[number(words[1])] =
            llvm::hash_combine(launch.number, words[0], slots[number(words[2])]);
      });
    std::vector<uint64_t> sources;
    for (LaunchLimb source : launch.sources)
      sources.push_back(slots[source.slot]);
    std::vector<std::pair<uint32_t, uint64_t>> writes;
    size_t to = 0, from = 0;
    for (ConversionSize size : launch.conversions) {
      uint64_t sum = 0;
      for (uint32_t k = 0; k < size.sources; ++k)
        sum = llvm::hash_combine(sum, sources[from++]);
      for (uint32_t t = 0; t < size.destinations; ++t)
        writes.emplace_back(launch.destinations[to++].slot, llvm::hash_combine(sum, t));
    }
    inRandomOrder(writes.size(), [&](size_t i) { slots[writes[i].first] = writes[i].second; });
  }

  const std::vector<uint64_t> &words() const { return slots; }

private:
  static uint32_t number(uint64_t word) { return static_cast<uint32_t>(word); }
  template <typename Function> void inRandomOrder(size_t count, Function function) {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i : order)
      function(i);
  }

  std::mt19937 random;
  std::vector<uint64_t> slots;
};

/// As a program may have them: what a launch writes is its own, or what the same limb reads.
std::vector<Launch> randomLaunches(std::mt19937 &random) {
  std::vector<uint32_t> order(20);
  std::iota(order.begin(), order.end(), 0);
  std::vector<Launch> launches;
  for (unsigned i = 0; i < 30; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    auto take = [&](size_t first, size_t count) {
      return std::vector<uint32_t>(order.begin() + first, order.begin() + first + count);
    };
    uint32_t count = 1 + random() % 2;
    switch (random() % 4) {
    case 0:
      launches.push_back(conversion(take(0, count), take(5, 1 + random() % 3)));
      break;
    case 1: // in place
      launches.push_back(loop(random() % 2, take(0, count), take(0, count)));
      break;
    default:
      launches.push_back(loop(random() % 2, take(0, count), take(5, count)));
    }
  }
  return launches;
}

TEST(LaunchJoiner, TheResultStaysTheSame) {
  std::mt19937 random(5);
  size_t before = 0, after = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    std::vector<Launch> launches = randomLaunches(random);
    Arena one(0), other(seed);
    for (const Launch &launch : launches)
      one.run(launch);
    before += launches.size();
    LaunchList list = joined(std::move(launches));
    after += list.launches.size();
    for (const Launch &launch : list.launches)
      other.run(launch);
    ASSERT_EQ(one.words(), other.words()) << "seed " << seed;
  }
  EXPECT_LT(after, before * 3 / 4);
}

} // namespace
