// The search tree's memory: nodes and edges in two arrays of fixed size, addressed by 32-bit numbers.
//
// A node exists only for positions visited at least twice, and holds edges only for actions tried at least once: blocks
// of edges grow as actions are tried, and outgrown blocks are used again. That keeps a search at about 35 bytes per
// visited edge, contiguous where selection reads it. The arrays are reserved at once and touched as they fill, so that
// a search step never allocates; when they are full, adding answers with nothing and the search goes on without
// growing.
//
// Nodes may be found again by a key (a position's hash, or what a player knows of it): then they form a graph.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/rng.h"
#include "core/types.h"

namespace sevenfold {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;
inline constexpr NodeId kEnd = ~NodeId{0};         // the child of an edge that ends the game
inline constexpr NodeId kWaiting = ~NodeId{0} - 1; // the child is being valued by an evaluator

// What one action from a node has given so far.
struct Edge {
  double total;         // sum of the values for the player who moves at the node
  std::uint32_t visits; // simulations through this edge
  NodeId child;         // kNoNode until the second visit; kEnd where the game is over
  float prior;
  std::uint16_t action;
  std::uint16_t exact; // 0: not proven; otherwise a number of ExactValues
};
static_assert(sizeof(Edge) == 24);

struct Node {
  std::uint64_t key;    // 0: this node is not to be found by a key
  std::uint32_t edges;  // the first edge of its block
  std::uint32_t visits; // simulations through this node
  std::uint16_t size;   // edges in use: actions tried
  std::uint16_t legal;  // actions there are
  std::uint16_t exact;  // as in Edge
  std::int8_t mover;
  std::uint8_t block; // the size class of its block, 0: none yet; and the flags below

  // The walk has come through here: meeting the node again closes a circle.
  static constexpr std::uint8_t kOnPath = 128;
  // An evaluator has been asked about it; its edges have priors.
  static constexpr std::uint8_t kAsked = 64, kGuided = 32;
  static constexpr std::uint8_t kSizeClass = 31;
  bool on_path() const { return (block & kOnPath) != 0; }
  bool asked() const { return (block & kAsked) != 0; }
  bool guided() const { return (block & kGuided) != 0; }
};
static_assert(sizeof(Node) == 24);

class Tree {
 public:
  // keyed: whether nodes are to be found by a key; costs some of the memory.
  Tree(std::size_t bytes, bool keyed);

  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  // The node will be needed soon; any number may be given.
  void expect(NodeId id) const { __builtin_prefetch(&nodes_[id]); }
  Edge* edges(const Node& node) { return &edges_[node.edges]; }
  const Edge* edges(const Node& node) const { return &edges_[node.edges]; }

  // kNoNode when the tree is full.
  NodeId add_node(int mover, int legal, std::uint64_t key = 0);
  // The node of a key; kNoNode if there is none.
  NodeId find(std::uint64_t key) const;
  // Room for so many edges at once, for a node that has none yet; false when the tree is full.
  bool reserve(Node& node, int count);
  // Appends an edge to a node; null when the tree is full. Edges of this node move: earlier pointers to them end.
  Edge* add_edge(Node& node, Action action, float prior);

  // Mixes Dirichlet noise into a node's priors: (1 - share) P + share * noise.
  void add_noise(const Node& node, double alpha, double share, Rng& rng);

  void remove(NodeId id);

  // Keeps what can be reached from `root` and frees the rest.
  void keep_only(NodeId root);
  void clear();

  std::size_t node_limit() const { return node_limit_; }
  std::size_t node_count() const { return live_nodes_; }
  std::size_t bytes_used() const;

 private:
  static constexpr int kClasses = 32;
  static constexpr std::size_t kSmallIndex = 1024;
  // 1, 2, 3, 4, 6, 8, 12, 16 … edges: few places stay empty.
  static std::uint32_t capacity(int block) {
    if (block < 3) return static_cast<std::uint32_t>(block);
    return block % 2 == 1 ? 3u << (block - 3) / 2 : 4u << (block - 4) / 2;
  }
  std::uint32_t take_block(int block);
  void free_block(std::uint32_t first, int block);
  // Open addressing: where a key is, or the free place where it belongs.
  std::size_t place_of(std::uint64_t key) const;
  void clear_index();
  void fill_index();

  std::size_t node_limit_, edge_limit_;
  std::unique_ptr<Node[]> nodes_;
  std::unique_ptr<Edge[]> edges_;
  std::vector<double> noise_; // scratch
  struct Free {
    void operator()(NodeId* p) const { std::free(p); }
  };
  // By key, at most three quarters full; null where nothing is keyed. The part in use grows with the tree, so that a
  // small search stays in the cache.
  std::unique_ptr<NodeId[], Free> index_;
  std::size_t index_places_ = 0, index_mask_ = kSmallIndex - 1;
  std::size_t node_end_ = 1, edge_end_ = 0; // node 0 is kNoNode
  std::size_t live_nodes_ = 0, free_edges_ = 0;
  NodeId free_node_ = kNoNode;          // a list through Node::edges
  std::uint32_t free_blocks_[kClasses]; // lists through Edge::child
};

} // namespace sevenfold
