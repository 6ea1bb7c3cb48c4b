// Likely worlds of a belief search, by a Markov chain (Metropolis et al. 1953).
//
// Of the worlds that fit, those in which the others would have acted as they did may be one in thousands: a few hundred
// drawn at random have none of them, and no weights help. A chain of worlds finds them. From a world x the game
// proposes a small change y, as likely as the change back (ability stir), and it is taken with the probability
//
//   min(1, w(y) / w(x)),   w = product over the others' actions of  (1 - doubt) * policy + doubt / n
//
// as in belief_worlds.cpp, so that in the long run a world is met in proportion to its weight. Only actions of players
// with another hand are looked at again, and no more of them once it is clear that the change is not taken.
//
//   Step 1. Several chains begin at worlds that fit, so that one that is caught in a corner does not decide alone.
//   Step 2. In the first half they are heated: weights are taken to a power that rises to 1 (Kirkpatrick et al. 1983),
//           so that a chain may first leave the worlds it happened to begin with.
//   Step 3. In the second half they are met at even distances, and the worlds they are at then all count the same.
//
// With `kinds`, who acts is not known either. A player of kind k, with the prior probability q_k, has the likelihood
//
//   w = sum over k of  q_k * product over its actions of  policy_k
//
// where a habit's policy is what it would do but for `kSlips`, and the kind is drawn from these shares in each world.
//
// Time may be limited: then steps go by the time as well as by the number of changes, and fewer worlds are met.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "search/belief.h"

namespace sevenfold {
namespace {

constexpr std::size_t kChains = 8;
constexpr double kHeated = 0.5;    // the share of the changes that are heated
constexpr double kHottest = 0.1;   // the power in the beginning
constexpr std::uint64_t kLook = 8; // at the clock, every so many changes of each chain
constexpr std::uint32_t kAll = ~std::uint32_t{0};
constexpr double kSlips = 0.02; // the share of a habit's actions that are taken for any legal one

} // namespace

void BeliefSearch::stir_worlds() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto count = static_cast<std::size_t>(options_.worlds);
  const std::size_t chains = std::min(kChains, count), each = (count + chains - 1) / chains;
  if (chains_.size() != chains) chains_.assign(chains, {root_state_});
  for (Chain& chain : chains_) {
    chain.world = root_state_;
    chain.world.redeal(me_, rng_);
    chain.log_likelihood = {};
    likelihoods(chain.world, kAll, -std::numeric_limits<double>::infinity(), 1, chain);
  }
  if (worlds_.size() != chains * each) worlds_.assign(chains * each, root_state_);
  world_kinds_.assign(kinds_ > 1 ? worlds_.size() : 0, {});
  std::size_t met = 0;
  const auto meet = [&] {
    for (const Chain& chain : chains_) {
      if (kinds_ > 1) world_kinds_[met] = drawn_kinds(chain);
      worlds_[met++] = chain.world;
    }
  };
  const double changes = static_cast<double>(each) * options_.stir; // of each chain
  double hurry = 0;                                                 // the share of the time that is over
  for (std::uint64_t i = 0; met < worlds_.size(); ++i) {
    if (i % kLook == 0 && std::isfinite(stir_seconds_))
      hurry = std::chrono::duration<double>(Clock::now() - start).count() / std::max(stir_seconds_, 1e-9);
    const double done = std::max(static_cast<double>(i + 1) / changes, hurry);
    const double power = std::min(1.0, kHottest + (1 - kHottest) * done / kHeated);
    for (Chain& chain : chains_) stir(chain, power);
    if ((done - kHeated) / (1 - kHeated) * static_cast<double>(each) * static_cast<double>(chains) >=
        static_cast<double>(met + chains) - 1e-9)
      meet();
    if (hurry >= 1) break;
  }
  if (met == 0) meet();
  worlds_.resize(met, root_state_);
  log_weights_.assign(met, 0);
  worlds_left_ = 0;
  settle_weights();
  trust_ = options_.trust * (options_.known + (1 - options_.known) * unknown());
}

// How likely another player acts by the policy, and is none of the kinds whose actions are known.
double BeliefSearch::unknown() const {
  if (kinds_ == 1) return 1;
  const int players = game_.facts().players;
  double sum = 0;
  for (int p = 0; p < players; ++p)
    if (p != me_) sum += kind_shares(p)[0];
  return players > 1 ? sum / (players - 1) : 1;
}

void BeliefSearch::stir(Chain& chain, double power) {
  proposed_.world = chain.world;
  const std::uint32_t whose = proposed_.world.stir(me_, rng_) & ~(std::uint32_t{1} << me_);
  if (whose == 0) return;
  double before = 0;
  for (std::size_t p = 0; p < chain.log_likelihood.size(); ++p)
    if ((whose >> p & 1) != 0) before += chain.log_likelihood[p];
  const double least = power * before + std::log(std::max(rng_.uniform(), 1e-300));
  proposed_.log_likelihood = chain.log_likelihood;
  if (kinds_ > 1) proposed_.by_kind = chain.by_kind;
  if (likelihoods(proposed_.world, whose, least, power, proposed_)) std::swap(chain, proposed_);
}

// How likely the past actions of these players are in a world, to a power; false as soon as that is below `least`.
bool BeliefSearch::likelihoods(const State& world, std::uint32_t whose, double least, double power, Chain& out) {
  for (std::size_t p = 0; p < out.log_likelihood.size(); ++p)
    if ((whose >> p & 1) != 0) out.log_likelihood[p] = 0, out.by_kind[p] = kind_priors_;
  replayed_ = world;
  ActionList past;
  replayed_.rewind(past);
  double all = 0;
  for (const Action action : past) {
    const int mover = replayed_.to_move();
    if (mover >= 0 && mover != me_ && (whose >> mover & 1) != 0) {
      list_.clear();
      replayed_.legal_actions(list_);
      if (list_.size() > 1) {
        double one = likelihood(replayed_, action);
        if (kinds_ > 1) one = mixed(out, static_cast<std::size_t>(mover), action, one);
        out.log_likelihood[static_cast<std::size_t>(mover)] += one;
        if (power * (all += one) < least) return false;
      }
    }
    replayed_.play(action);
  }
  return true;
}

// Step kinds: by how much an action changes the logarithm of w, given that of the policy's.
double BeliefSearch::mixed(Chain& out, std::size_t player, Action action, double by_policy) {
  auto& sums = out.by_kind[player];
  const double n = list_.size();
  const std::uint32_t takers = replayed_.takers(action);
  const double taken = std::log(1 - kSlips + kSlips / n), slipped = std::log(kSlips / n);
  sums[0] += by_policy;
  for (std::size_t kind = 1; kind + 1 < kinds_; ++kind) sums[kind] += (takers >> (kind - 1) & 1) != 0 ? taken : slipped;
  sums[kinds_ - 1] -= std::log(n);
  const double most = *std::max_element(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(kinds_));
  double total = 0;
  for (std::size_t kind = 0; kind < kinds_; ++kind) total += std::exp(sums[kind] - most);
  return most + std::log(total) - out.log_likelihood[player];
}

BeliefSearch::KindOf BeliefSearch::drawn_kinds(const Chain& chain) {
  KindOf out{};
  for (std::size_t p = 0; p < static_cast<std::size_t>(game_.facts().players); ++p) {
    if (static_cast<int>(p) == me_) continue;
    double left = rng_.uniform(); // shares add up to the exponential of log_likelihood
    std::uint8_t kind = 0;
    const auto share = [&](std::size_t k) { return std::exp(chain.by_kind[p][k] - chain.log_likelihood[p]); };
    while (kind + 1u < kinds_ && (left -= share(kind)) >= 0) ++kind;
    out[p] = kind;
  }
  return out;
}

std::vector<double> BeliefSearch::kind_shares(int player) const {
  std::vector<double> out(kinds_ > 1 ? kinds_ : 0, 0.0);
  for (std::size_t i = 0; i < std::min(worlds_.size(), world_kinds_.size()) && !out.empty(); ++i)
    out[world_kinds_[i][static_cast<std::size_t>(player)]] += weights_[i];
  return out;
}

} // namespace sevenfold
