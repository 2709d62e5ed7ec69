//===- minimum_cut_test.cpp - cuts against all divisions of small graphs ----------------------===//
#include "passes/algorithms/MinimumCut.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using sluice::algorithms::MinimumCut;

struct Edge {
  uint32_t from, to;
  int64_t capacity;
};

int64_t costOf(const std::vector<Edge> &edges, uint32_t sourceSide) {
  int64_t cost = 0;
  for (const Edge &edge : edges)
    if ((sourceSide >> edge.from & 1) && !(sourceSide >> edge.to & 1))
      cost += edge.capacity;
  return cost;
}

/// Over all sets of nodes with the source and without the sink.
int64_t cheapest(const std::vector<Edge> &edges, uint32_t nodes) {
  int64_t best = MinimumCut::unbounded;
  for (uint32_t side = 0; side < (1u << nodes); ++side)
    if ((side >> MinimumCut::source & 1) && !(side >> MinimumCut::sink & 1))
      best = std::min(best, costOf(edges, side));
  return best;
}

TEST(MinimumCut, EqualsTheBestOfAllDivisions) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 400; ++trial) {
    uint32_t nodes = 3 + random() % 7;
    std::vector<Edge> edges;
    for (uint32_t count = random() % 25; count > 0; --count)
      edges.push_back(
          {uint32_t(random() % nodes), uint32_t(random() % nodes), int64_t(random() % 8)});
    MinimumCut graph;
    for (uint32_t node = 2; node < nodes; ++node)
      EXPECT_EQ(graph.addNode(), node);
    for (const Edge &edge : edges)
      graph.addEdge(edge.from, edge.to, edge.capacity);
    ASSERT_EQ(graph.solve(), cheapest(edges, nodes));
    uint32_t side = 0;
    for (uint32_t node = 0; node < nodes; ++node)
      side |= uint32_t(graph.isOnSourceSide(node)) << node;
    EXPECT_TRUE(graph.isOnSourceSide(MinimumCut::source));
    EXPECT_FALSE(graph.isOnSourceSide(MinimumCut::sink));
    EXPECT_EQ(costOf(edges, side), cheapest(edges, nodes));
  }
}

TEST(MinimumCut, SaysWhenEveryDivisionIsForbidden) {
  MinimumCut graph;
  uint32_t node = graph.addNode();
  graph.addEdge(MinimumCut::source, node, MinimumCut::unbounded);
  graph.addEdge(node, MinimumCut::sink, MinimumCut::unbounded);
  EXPECT_GE(graph.solve(), MinimumCut::unbounded);
}

/// A chain as long as a large program: no recursion.
TEST(MinimumCut, CutsALongChainAtItsWeakestEdge) {
  MinimumCut graph;
  uint32_t last = MinimumCut::source, weak = 0;
  for (int i = 0; i < 100000; ++i) {
    uint32_t node = graph.addNode();
    graph.addEdge(last, node, i == 70000 ? 2 : 3);
    if (i == 70000)
      weak = node;
    last = node;
  }
  graph.addEdge(last, MinimumCut::sink, 3);
  EXPECT_EQ(graph.solve(), 2);
  EXPECT_TRUE(graph.isOnSourceSide(weak - 1));
  EXPECT_FALSE(graph.isOnSourceSide(weak));
}

} // namespace
