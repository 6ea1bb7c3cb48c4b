#include "search/tree.h"

#include <algorithm>
#include <bit>
#include <new>

#include "core/hash.h"

namespace sevenfold {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

} // namespace

// In a tree of tried actions there are about four edges to a node, so a node, its place in the index and four edges
// share the budget. Memory is touched as it fills, the index included (calloc's pages are zero without being written).
Tree::Tree(std::size_t bytes, bool keyed) {
  constexpr std::size_t kEdgesPerNode = 4, kIndexPerNode = 3;
  const std::size_t share = sizeof(Node) + kEdgesPerNode * sizeof(Edge) + (keyed ? kIndexPerNode * sizeof(NodeId) : 0);
  node_limit_ = std::clamp<std::size_t>(bytes / share, 16, kNone);
  edge_limit_ = std::clamp<std::size_t>(kEdgesPerNode * (bytes / share), 64, kNone);
  nodes_ = std::make_unique_for_overwrite<Node[]>(node_limit_);
  edges_ = std::make_unique_for_overwrite<Edge[]>(edge_limit_);
  if (keyed) {
    index_places_ = std::max(kSmallIndex, std::bit_ceil(node_limit_ / 3 * 4 + 4));
    index_.reset(static_cast<NodeId*>(std::calloc(index_places_, sizeof(NodeId))));
    if (index_ == nullptr) throw std::bad_alloc();
  }
  clear();
}

void Tree::clear() {
  clear_index();
  index_mask_ = kSmallIndex - 1;
  node_end_ = 1;
  edge_end_ = 0;
  live_nodes_ = free_edges_ = 0;
  free_node_ = kNoNode;
  std::fill(std::begin(free_blocks_), std::end(free_blocks_), kNone);
}

std::size_t Tree::place_of(std::uint64_t key) const {
  std::size_t place = mix(key) & index_mask_;
  while (index_[place] != kNoNode && nodes_[index_[place]].key != key) place = (place + 1) & index_mask_;
  return place;
}

NodeId Tree::find(std::uint64_t key) const { return index_ != nullptr ? index_[place_of(key)] : kNoNode; }

// Only the places in use are written: from every node's own place to the end of its run.
void Tree::clear_index() {
  if (index_ == nullptr) return;
  for (NodeId id = 1; id < node_end_; ++id)
    for (std::size_t place = mix(nodes_[id].key) & index_mask_; index_[place] != kNoNode;
         place = (place + 1) & index_mask_)
      index_[place] = kNoNode;
}

void Tree::fill_index() {
  for (NodeId id = 1; id < node_end_; ++id)
    if (nodes_[id].key != 0) index_[place_of(nodes_[id].key)] = id;
}

NodeId Tree::add_node(int mover, int legal, std::uint64_t key) {
  NodeId id = free_node_;
  if (id != kNoNode) {
    free_node_ = nodes_[id].edges;
  } else {
    if (node_end_ == node_limit_) return kNoNode;
    id = static_cast<NodeId>(node_end_++);
  }
  ++live_nodes_;
  if (index_ != nullptr && key != 0) {
    if (4 * live_nodes_ > 3 * index_mask_ && index_mask_ + 1 < index_places_) { // it was reserved at the start
      nodes_[id].key = 0;
      clear_index();
      index_mask_ = 2 * index_mask_ + 1;
      fill_index();
    }
    index_[place_of(key)] = id;
  }
  nodes_[id] = {.key = key,
                .edges = 0,
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

bool Tree::reserve(Node& node, int count) {
  if (count <= 0) return true;
  int block = 1;
  while (capacity(block) < static_cast<std::uint32_t>(count)) ++block;
  const std::uint32_t first = take_block(block);
  if (first == kNone) return false;
  node.edges = first;
  node.block = static_cast<std::uint8_t>(block);
  return true;
}

Edge* Tree::add_edge(Node& node, Action action, float prior) {
  const int block = node.block & Node::kSizeClass;
  if (node.size == capacity(block)) {
    const std::uint32_t first = take_block(block + 1);
    if (first == kNone) return nullptr;
    if (block != 0) {
      std::memcpy(&edges_[first], &edges_[node.edges], node.size * sizeof(Edge));
      free_block(node.edges, block);
    }
    node.edges = first;
    ++node.block;
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

void Tree::add_noise(const Node& node, double alpha, double share, Rng& rng) {
  noise_.clear();
  double total = 0;
  for (int i = 0; i < node.size; ++i) total += noise_.emplace_back(rng.gamma(alpha));
  if (!(total > 0)) return; // a tiny alpha may leave nothing that a double can hold
  for (int i = 0; i < node.size; ++i) {
    float& prior = edges_[node.edges + static_cast<std::uint32_t>(i)].prior;
    prior = static_cast<float>((1 - share) * prior + share * noise_[static_cast<std::size_t>(i)] / total);
  }
}

// Only the last node added, which ends its run in the index, and nodes that are in the index no more.
void Tree::remove(NodeId id) {
  Node& node = nodes_[id];
  if (index_ != nullptr && node.key != 0) index_[place_of(node.key)] = kNoNode;
  node.key = 0;
  if (const int block = node.block & Node::kSizeClass; block != 0) free_block(node.edges, block);
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
  clear_index();
  for (NodeId id = 1; id < node_end_; ++id)
    if (!unused[id] && !reached[id]) remove(id);
  if (index_ != nullptr) fill_index();
}

std::size_t Tree::bytes_used() const {
  return live_nodes_ * sizeof(Node) + (edge_end_ - free_edges_) * sizeof(Edge) +
         (index_ != nullptr ? (index_mask_ + 1) * sizeof(NodeId) : 0);
}

} // namespace sevenfold
