//===- MinimumCut.h - the cheapest way to divide a graph in two -------------------------------===//
//
// A choice between two states for each of many items, where some pairs of choices cost something,
// is a cut: items in the first state stand with the source, the others with the sink.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_MINIMUMCUT_H
#define SLUICE_PASSES_ALGORITHMS_MINIMUMCUT_H

#include <cstdint>
#include <limits>
#include <vector>

namespace sluice::algorithms {

/// A directed graph with capacities. Dinic's algorithm: Dinitz, Soviet Math. Dokl. 11 (1970).
class MinimumCut {
public:
  using Node = uint32_t;
  static constexpr Node source = 0, sink = 1;
  /// The capacity of an edge that no cut of finite cost may contain.
  static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max() / 4;

  MinimumCut() : firstEdge(2, none) {}

  Node addNode() {
    firstEdge.push_back(none);
    return static_cast<Node>(firstEdge.size() - 1);
  }
  /// A cut with `from` on the source's side and `to` on the sink's costs `capacity` (>= 0) more.
  void addEdge(Node from, Node to, int64_t capacity);

  /// The cost of a cheapest cut; `unbounded` or more when there is no finite one. Once.
  int64_t solve();
  /// Of the cheapest cut with the fewest nodes on the source's side.
  bool isOnSourceSide(Node node) const { return level[node] >= 0; }

private:
  static constexpr uint32_t none = ~uint32_t(0);
  struct Edge {
    Node to;
    uint32_t next; // of the same node
    int64_t left;  // capacity that no flow uses; the reverse edge is edges[index ^ 1]
  };

  bool findLevels();
  int64_t push(Node start);

  std::vector<uint32_t> firstEdge, currentEdge;
  std::vector<Edge> edges;
  std::vector<int32_t> level; // distance from the source over edges that are not full; -1: none
};

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_MINIMUMCUT_H
