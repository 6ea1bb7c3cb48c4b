#include "search/prover.h"

#include "search/alphabeta.h"

namespace sevenfold {
namespace {

class AlphaBetaProver final : public Prover {
 public:
  AlphaBetaProver(const Game& game, std::size_t bytes) : search_(game, options(bytes), evaluation(game)) {}

  std::uint64_t prove(const State& state, Action previous, std::uint64_t nodes, Watch& watch,
                      std::vector<Proof>& out) override {
    const SearchReport found = search_.run(state, previous, {.nodes = nodes}, watch);
    const auto mover = static_cast<std::size_t>(state.to_move());
    for (const ActionReport& one : found.actions) {
      if (!one.proven || one.bound != Bound::exact) continue;
      Proof& proof = out.emplace_back(Proof{one.action, {}});
      proof.values[mover] = one.value;
      proof.values[1 - mover] = -one.value;
    }
    return found.nodes;
  }

  bool settle(const State& state, std::uint64_t nodes, Watch& watch, Values& out) override {
    const SearchReport found = search_.run(state, kNoAction, {.nodes = nodes}, watch);
    if (found.proven) out = found.values;
    return found.proven;
  }

 private:
  static AlphaBetaOptions options(std::size_t bytes) {
    AlphaBetaOptions out;
    out.every = true; // who learns from it wants all of them
    out.memory = bytes;
    return out;
  }
  static Evaluation evaluation(const Game& game) {
    const bool guesses = game.initial().table().heuristic != nullptr;
    return {game, guesses ? Evaluation::Kind::heuristic : Evaluation::Kind::zero};
  }

  AlphaBeta search_;
};

} // namespace

bool can_prove(const Game& game) {
  const Table& table = game.initial().table();
  return game.facts().players == 2 && game.facts().sum == Sum::zero && table.chance == nullptr &&
         table.redeal == nullptr && table.view == nullptr;
}

std::unique_ptr<Prover> make_prover(const Game& game, std::size_t bytes) {
  const State initial = game.initial();
  if (initial.table().prover != nullptr) return initial.prover(bytes);
  return std::make_unique<AlphaBetaProver>(game, bytes);
}

} // namespace sevenfold
