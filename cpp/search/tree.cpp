#include "search/tree.h"

#include <algorithm>

namespace sevenfold {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

} // namespace

// In a tree of tried actions there are about six edges to a node; each array gets its share of the budget.
Tree::Tree(std::size_t bytes)
    : node_limit_(std::clamp<std::size_t>(bytes / 7 / sizeof(Node), 16, kNone)),
      edge_limit_(std::clamp<std::size_t>(bytes / 7 * 6 / sizeof(Edge), 64, kNone)),
      nodes_(std::make_unique_for_overwrite<Node[]>(node_limit_)),
      edges_(std::make_unique_for_overwrite<Edge[]>(edge_limit_)) {
  clear();
}

void Tree::clear() {
  node_end_ = 1;
  edge_end_ = 0;
  live_nodes_ = free_edges_ = 0;
  free_node_ = kNoNode;
  std::fill(std::begin(free_blocks_), std::end(free_blocks_), kNone);
}

NodeId Tree::add_node(int mover, int legal) {
  NodeId id = free_node_;
  if (id != kNoNode) {
    free_node_ = nodes_[id].edges;
  } else {
    if (node_end_ == node_limit_) return kNoNode;
    id = static_cast<NodeId>(node_end_++);
  }
  ++live_nodes_;
  nodes_[id] = {.edges = 0,
                .visits = 0,
                .size = 0,
                .legal = static_cast<std::uint16_t>(legal),
                .exact = 0,
                .mover = static_cast<std::int8_t>(mover),
                .block = 0};
  return id;
}

std::uint32_t Tree::take_block(int block) {
  if (const std::uint32_t first = free_blocks_[block]; first != kNone) {
    free_blocks_[block] = edges_[first].child;
    free_edges_ -= capacity(block);
    return first;
  }
  if (edge_limit_ - edge_end_ < capacity(block)) return kNone;
  const auto first = static_cast<std::uint32_t>(edge_end_);
  edge_end_ += capacity(block);
  return first;
}

void Tree::free_block(std::uint32_t first, int block) {
  edges_[first].child = free_blocks_[block];
  free_blocks_[block] = first;
  free_edges_ += capacity(block);
}

Edge* Tree::add_edge(Node& node, Action action, float prior) {
  if (node.block == 0 || node.size == capacity(node.block)) {
    const int larger = node.block == 0 ? 1 : node.block + 1;
    const std::uint32_t first = take_block(larger);
    if (first == kNone) return nullptr;
    if (node.block != 0) {
      std::memcpy(&edges_[first], &edges_[node.edges], node.size * sizeof(Edge));
      free_block(node.edges, node.block);
    }
    node.edges = first;
    node.block = static_cast<std::uint8_t>(larger);
  }
  Edge& edge = edges_[node.edges + node.size++];
  edge = {.total = 0,
          .visits = 0,
          .child = kNoNode,
          .prior = prior,
          .action = static_cast<std::uint16_t>(action),
          .exact = 0};
  return &edge;
}

void Tree::remove(NodeId id) {
  Node& node = nodes_[id];
  if (node.block != 0) free_block(node.edges, node.block);
  node.edges = free_node_;
  free_node_ = id;
  --live_nodes_;
}

// Mark what the root reaches, then free every other node that is in use.
void Tree::keep_only(NodeId root) {
  std::vector<bool> reached(node_end_), unused(node_end_);
  for (NodeId id = free_node_; id != kNoNode; id = nodes_[id].edges) unused[id] = true;
  std::vector<NodeId> stack{root};
  reached[root] = true;
  while (!stack.empty()) {
    const Node& node = nodes_[stack.back()];
    stack.pop_back();
    const Edge* first = edges(node);
    for (int i = 0; i < node.size; ++i) {
      const NodeId child = first[i].child;
      if (child != kNoNode && child != kEnd && !reached[child]) {
        reached[child] = true;
        stack.push_back(child);
      }
    }
  }
  for (NodeId id = 1; id < node_end_; ++id)
    if (!reached[id] && !unused[id]) remove(id);
}

std::size_t Tree::bytes_used() const { return live_nodes_ * sizeof(Node) + (edge_end_ - free_edges_) * sizeof(Edge); }

} // namespace sevenfold
