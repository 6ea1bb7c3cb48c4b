// Gumbel search at the root (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with
// Gumbel"): with few simulations it still improves on the prior, which visit counts need not.
//
//   1. Every action a gets g(a) + log P(a), g drawn from a Gumbel distribution; the largest are a sample without
//      replacement from the prior. The `considered` largest are looked at.
//   2. Sequential halving (Karnin, Koren and Somekh 2013): the planned simulations go in equal parts to the actions
//   left,
//      and after each phase the better half by g + log P + sigma(q) stays, an odd one with it.
//   3. The answer is the best of those that are left; the policy to learn is softmax(log P + sigma(completed q)), where
//      actions without visits are taken to be worth the mixture of the evaluator's value and what was found.
//
// sigma(q) = value_scale * (visit_offset + max N) * q with q in [0, 1]. Proven actions take part with their exact value
// and get no more simulations.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/mcts.h"

namespace sevenfold {

void Mcts::begin_gumbel(const Node& root) {
  const Edge* edges = tree_.edges(root);
  gumbels_.resize(root.size);
  before_.resize(root.size);
  for (std::size_t i = 0; i < gumbels_.size(); ++i) {
    const double uniform = std::max(rng_.uniform(), 1e-300);
    gumbels_[i] = -std::log(std::max(-std::log(uniform), 1e-300)) * options_.gumbel_scale +
                  std::log(std::max(static_cast<double>(edges[i].prior), 1e-30));
    before_[i] = edges[i].visits;
  }
  considered_.resize(root.size);
  std::iota(considered_.begin(), considered_.end(), 0u);
  const auto most = std::min(considered_.size(), static_cast<std::size_t>(std::max(1, options_.considered)));
  std::partial_sort(considered_.begin(), considered_.begin() + static_cast<std::ptrdiff_t>(most), considered_.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return gumbels_[a] > gumbels_[b]; });
  considered_.resize(most);
  phases_ = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(most)))));
  quota_ = 0;
  halve(root);
}

// The next phase: the better half (all of them in the first), and how many visits each of them gets.
void Mcts::halve(const Node& root) {
  if (quota_ > 0 && considered_.size() > 2) {
    std::stable_sort(considered_.begin(), considered_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return gumbel_rank(root, a) > gumbel_rank(root, b); });
    considered_.resize((considered_.size() + 1) / 2);
  }
  const std::uint64_t each = planned_ / (static_cast<std::uint64_t>(phases_) * considered_.size());
  quota_ += static_cast<std::uint32_t>(std::clamp<std::uint64_t>(each, 1, 1u << 24));
}

// Whether every action still considered has had its visits, those that wait included.
bool Mcts::gumbel_phase_over() const {
  if (considered_.empty()) return false;
  const Edge* edges = tree_.edges(tree_.node(root_));
  return std::all_of(considered_.begin(), considered_.end(),
                     [&](std::uint32_t i) { return edges[i].exact != 0 || edges[i].visits - before_[i] >= quota_; });
}

Edge* Mcts::gumbel_edge(const Node& root, std::uint16_t& floor) {
  Edge* const edges = tree_.edges(root);
  if (considered_.empty()) begin_gumbel(root);
  const Edge* known = nullptr;
  bool open = false;
  for (const Edge* edge = edges; edge != edges + root.size; ++edge) {
    open |= edge->exact == 0;
    if (edge->exact != 0 && (known == nullptr || value_of(root, *edge) > value_of(root, *known))) known = edge;
  }
  if (known != nullptr) floor = known->exact;
  if (!open) return edges + (known - edges); // nothing follows from it: a tie whose breaking matters to others
  const auto is_open = [&](std::uint32_t i) { return edges[i].exact == 0; };
  const auto visits = [&](std::uint32_t i) { return edges[i].visits - before_[i]; };
  for (;;) {
    if (std::none_of(considered_.begin(), considered_.end(), is_open)) { // the others' turn
      considered_.resize(root.size);
      std::iota(considered_.begin(), considered_.end(), 0u);
    }
    const std::uint32_t* best = nullptr;
    for (const std::uint32_t& i : considered_) {
      if (!is_open(i) || visits(i) >= quota_) continue;
      if (best == nullptr || visits(i) < visits(*best) ||
          (visits(i) == visits(*best) && gumbel_rank(root, i) > gumbel_rank(root, *best)))
        best = &i;
    }
    if (best != nullptr) return edges + *best;
    halve(root);
  }
}

double Mcts::gumbel_rank(const Node& root, std::uint32_t edge) const {
  const Edge& one = tree_.edges(root)[edge];
  // An action not visited keeps its random rank: it is compared with others before their first visit only.
  if (one.visits == 0 && one.exact == 0) return gumbels_[edge];
  return gumbels_[edge] + value_weight(root) * (judged(value_of(root, one)) + 1) / 2;
}

double Mcts::value_weight(const Node& node) const {
  std::uint32_t busiest = 0;
  const Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.size; ++i) busiest = std::max(busiest, edges[i].visits);
  return options_.value_scale * (options_.visit_offset + busiest);
}

// Values in [-1, 1] of all actions; those without visits get the mixture.
void Mcts::completed_values(const Node& node, std::vector<double>& out) const {
  const Edge* edges = tree_.edges(node);
  double visits = 0, priors = 0, weighted = 0;
  out.resize(node.size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (edges[i].visits == 0 && edges[i].exact == 0) continue;
    out[i] = value_of(node, edges[i]);
    visits += edges[i].visits;
    priors += edges[i].prior;
    weighted += edges[i].prior * out[i];
  }
  double mixture = guesses_[&node - &tree_.node(0)];
  if (priors > 0) mixture = (mixture + visits * weighted / priors) / (1 + visits);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (edges[i].visits == 0 && edges[i].exact == 0) out[i] = mixture;
}

void Mcts::improved_policy(const Node& node, std::vector<double>& out) const {
  const Edge* edges = tree_.edges(node);
  completed_values(node, out);
  const double weight = value_weight(node);
  double highest = -1e300, total = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = std::log(std::max(static_cast<double>(edges[i].prior), 1e-30)) + weight * (judged(out[i]) + 1) / 2;
    highest = std::max(highest, out[i]);
  }
  for (double& share : out) total += share = std::exp(share - highest);
  for (double& share : out) share /= total;
}

// The best of the actions left by g + log P + sigma(q); a proven action where nothing open promises more.
const Edge* Mcts::gumbel_choice(const Node& root) const {
  const Edge* edges = tree_.edges(root);
  const Edge *open = nullptr, *known = nullptr;
  double best = 0;
  for (const std::uint32_t i : considered_) {
    if (edges[i].exact != 0 || edges[i].visits == before_[i]) continue;
    const double rank = gumbel_rank(root, i);
    if (open == nullptr || rank > best) open = edges + i, best = rank;
  }
  for (const Edge* edge = edges; edge != edges + root.size; ++edge)
    if (edge->exact != 0 && (known == nullptr || value_of(root, *edge) > value_of(root, *known))) known = edge;
  if (open == nullptr && known == nullptr)
    return edges + *std::max_element(considered_.begin(), considered_.end(),
                                     [&](auto a, auto b) { return gumbels_[a] < gumbels_[b]; });
  if (open == nullptr || known == nullptr) return open != nullptr ? open : known;
  return root.exact != 0 || value_of(root, *known) >= value_of(root, *open) ? known : open;
}

} // namespace sevenfold
