// What an Mcts has to say when it stops.
#include <algorithm>
#include <cmath>

#include "search/mcts.h"

namespace sevenfold {

// The value of an edge for the player who moves at its node, in [-1, 1].
double Mcts::value_of(const Node& node, const Edge& edge) const {
  if (edge.exact != 0) return scaled(exact_.of(edge.exact)[static_cast<std::size_t>(node.mover)]);
  return edge.visits > 0 ? edge.total / edge.visits : -1;
}

// Step 6. The choice. Among actions not proven: by visits, value or the lower end of the value's confidence interval.
// Among proven ones: by value, and of equal ones the most visited, which was hardest to refute. A proven action is
// taken when it is worth at least what the other promises; it may have few visits, because a proof ends them. One that
// was never tried promises more than a proven loss.
const Edge* Mcts::best_edge(const Node& node) const {
  if (!considered_.empty() && &node == &tree_.node(root_)) return gumbel_choice(node);
  const auto rank = [&](const Edge& edge) -> double {
    const auto n = static_cast<double>(edge.visits);
    switch (options_.choice) {
      case MctsOptions::Choice::visits: return n;
      case MctsOptions::Choice::value: return value_of(node, edge);
      case MctsOptions::Choice::lcb: break;
    }
    return edge.visits == 0 ? -3 : judged(value_of(node, edge)) - std::sqrt(std::log(node.visits + 2.0) / n);
  };
  const Edge *open = nullptr, *known = nullptr;
  const Edge* edges = tree_.edges(node);
  for (const Edge* edge = edges; edge != edges + node.size; ++edge) {
    if (edge->exact == 0) {
      if (open == nullptr || rank(*edge) > rank(*open)) open = edge;
    } else if (known == nullptr || value_of(node, *edge) > value_of(node, *known) ||
               (value_of(node, *edge) == value_of(node, *known) && edge->visits > known->visits)) {
      known = edge;
    }
  }
  if (open == nullptr || known == nullptr) return open != nullptr ? open : known;
  const double sure = value_of(node, *known);
  return node.exact != 0 || (sure >= value_of(node, *open) && (open->visits > 0 || sure > -1)) ? known : open;
}

// How much of the answer each action of the root is: what a network should learn to say. By Gumbel the improved policy,
// else the visits; where the root is proven, only actions that are proven to be the best.
void Mcts::shares(const Node& node, std::vector<double>& out) const {
  const Edge* edges = tree_.edges(node);
  out.assign(node.size, 0);
  const bool gumbel = options_.root == MctsOptions::Root::gumbel;
  if (gumbel) improved_policy(node, out);
  else
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = node.exact != 0 ? static_cast<double>(edges[i].prior) : edges[i].visits;
  if (node.exact != 0) {
    const double best = value_of(node, *best_edge(node));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = edges[i].exact != 0 && value_of(node, edges[i]) >= best ? std::max(out[i], 1e-9) : 0;
  }
  double total = 0;
  for (const double share : out) total += share;
  for (double& share : out) share = total > 0 ? share / total : 1.0 / static_cast<double>(out.size());
}

// The best actions from a node on, as far as they have been visited; it ends before a chance node.
std::vector<Action> Mcts::line_from(NodeId id) const {
  std::vector<Action> out;
  while (id != kNoNode && id != kEnd && id != kWaiting && out.size() < 64) {
    const Node& node = tree_.node(id);
    if (node.size == 0 || node.mover < 0) break;
    const Edge* edge = best_edge(node);
    if (edge->visits == 0 && edge->exact == 0) break;
    out.push_back(edge->action);
    id = edge->child;
  }
  return out;
}

SearchReport Mcts::report() const {
  SearchReport out;
  if (root_ == kNoNode) return out;
  const Node& root = tree_.node(root_);
  const Edge* edges = tree_.edges(root);
  const auto mover = static_cast<std::size_t>(root.mover);
  const auto unscaled = [&](double value) { return (value - shift_) / scale_; };
  std::vector<double> share(root.size, 0);
  if (evaluates_ || guided_) shares(root, share);
  for (int i = 0; i < root.size; ++i) {
    out.actions.push_back({.action = edges[i].action,
                           .visits = edges[i].visits,
                           .value = unscaled(value_of(root, edges[i])),
                           .prior = edges[i].prior,
                           .share = share[static_cast<std::size_t>(i)],
                           .proven = edges[i].exact != 0,
                           .pv = line_from(edges[i].child)});
    auto& line = out.actions.back().pv;
    line.insert(line.begin(), edges[i].action);
  }
  if (const Edge* best = best_edge(root); best != nullptr) {
    out.action = best->action;
    const auto index = static_cast<std::size_t>(best - edges);
    if (index < root_totals_.size() && root_totals_[index].visits > 0)
      for (std::size_t p = 0; p < out.values.size(); ++p)
        out.values[p] = root_totals_[index].sum[p] / static_cast<double>(root_totals_[index].visits);
    out.values[mover] = unscaled(value_of(root, *best));
    if (game_.facts().players == 2 && game_.facts().sum == Sum::zero) out.values[1 - mover] = -out.values[mover];
    if (best->exact != 0) out.values = exact_.of(best->exact);
  }
  out.proven = root.exact != 0;
  if (out.action != kNoAction) out.pv = line_from(root_);
  out.simulations = simulations_;
  out.nodes = tree_.node_count();
  out.bytes = tree_.bytes_used();
  return out;
}

NodeView Mcts::view(const std::vector<Action>& path) const {
  NodeView out;
  NodeId id = root_;
  for (const Action action : path) {
    if (id == kNoNode || id == kEnd || id == kWaiting) return out;
    const Node& node = tree_.node(id);
    const Edge *edge = tree_.edges(node), *end = edge + node.size;
    while (edge != end && edge->action != action) ++edge;
    id = edge == end ? kNoNode : edge->child;
  }
  if (id == kNoNode || id == kEnd || id == kWaiting) return out;
  const Node& node = tree_.node(id);
  out.mover = node.mover;
  out.visits = node.visits;
  out.proven = node.exact != 0;
  const Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.size; ++i) {
    const Edge& edge = edges[i];
    const bool child = edge.child != kNoNode && edge.child != kEnd && edge.child != kWaiting;
    EdgeView& one = out.edges.emplace_back(EdgeView{.action = edge.action,
                                                    .visits = edge.visits,
                                                    .prior = static_cast<double>(edge.prior),
                                                    .proven = edge.exact != 0,
                                                    .expanded = child});
    if (node.mover < 0) continue;
    if (edge.visits > 0 || edge.exact != 0) one.q = value_of(node, edge);
    one.u = reach(node) * (options_.selection == MctsOptions::Selection::puct
                               ? static_cast<double>(edge.prior) / (1.0 + edge.visits)
                               : 1 / std::sqrt(std::max(edge.visits, 1u)));
  }
  return out;
}

// What the formulas multiply by: P / (1 + n), or 1 / sqrt(n).
double Mcts::reach(const Node& node) const {
  const double visits = node.visits, c = options_.exploration, base = options_.growth;
  if (options_.selection == MctsOptions::Selection::ucb1) return c * std::sqrt(std::log(std::max(visits, 2.0)));
  return (base > 0 ? c + std::log((1 + visits + base) / base) : c) * std::sqrt(visits + 1);
}

} // namespace sevenfold
