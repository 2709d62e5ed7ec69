//===- MinimumCut.cpp - the cheapest way to divide a graph in two -----------------------------===//

#include "passes/algorithms/MinimumCut.h"

#include <algorithm>
#include <cassert>
#include <queue>

namespace sluice::algorithms {

void MinimumCut::addEdge(Node from, Node to, int64_t capacity) {
  assert(capacity >= 0 && from < firstEdge.size() && to < firstEdge.size());
  edges.push_back({to, firstEdge[from], capacity});
  firstEdge[from] = static_cast<uint32_t>(edges.size() - 1);
  edges.push_back({from, firstEdge[to], 0});
  firstEdge[to] = static_cast<uint32_t>(edges.size() - 1);
}

bool MinimumCut::findLevels() {
  level.assign(firstEdge.size(), -1);
  level[source] = 0;
  std::queue<Node> queue({source});
  while (!queue.empty()) {
    Node node = queue.front();
    queue.pop();
    for (uint32_t edge = firstEdge[node]; edge != none; edge = edges[edge].next)
      if (edges[edge].left > 0 && level[edges[edge].to] < 0) {
        level[edges[edge].to] = level[node] + 1;
        queue.push(edges[edge].to);
      }
  }
  return level[sink] >= 0;
}

/// Sends flow along one path of growing levels; 0 when there is none left. Without recursion, since
/// graphs of programs are deep.
int64_t MinimumCut::push(Node start) {
  std::vector<uint32_t> path;
  Node node = start;
  while (node != sink) {
    uint32_t &edge = currentEdge[node];
    while (edge != none && (edges[edge].left == 0 || level[edges[edge].to] != level[node] + 1))
      edge = edges[edge].next;
    if (edge != none) {
      path.push_back(edge);
      node = edges[edge].to;
      continue;
    }
    if (path.empty())
      return 0;
    level[node] = -1; // a dead end
    node = edges[path.back() ^ 1].to;
    path.pop_back();
  }
  int64_t flow = unbounded;
  for (uint32_t edge : path)
    flow = std::min(flow, edges[edge].left);
  for (uint32_t edge : path) {
    edges[edge].left -= flow;
    edges[edge ^ 1].left += flow;
  }
  return flow;
}

int64_t MinimumCut::solve() {
  int64_t cost = 0;
  while (findLevels()) {
    currentEdge = firstEdge;
    while (int64_t flow = push(source)) {
      cost += flow;
      if (cost >= unbounded)
        return cost;
    }
  }
  return cost;
}

} // namespace sluice::algorithms
