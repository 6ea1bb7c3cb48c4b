#include "search/evaluation.h"

#include <stdexcept>

#include "core/text.h"

namespace sevenfold {

Evaluation::Evaluation(const Game& game, Kind kind, std::vector<double> weights)
    : kind_(kind),
      players_(static_cast<std::size_t>(game.facts().players)),
      middle_((game.facts().max_return + game.facts().min_return) / 2),
      reach_(kInside * (game.facts().max_return - game.facts().min_return) / 2),
      weights_(std::move(weights)),
      game_(game.facts().name) {
  const Table& table = game.initial().table();
  const auto need = [&](bool has, const char* ability, const char* what) {
    if (!has)
      throw std::invalid_argument(std::string("the ") + what + " evaluation needs the ability '" + ability +
                                  "', which " + game_ + " does not offer.");
  };
  if (kind == Kind::heuristic) need(table.heuristic != nullptr, "heuristic", "heuristic");
  if (kind != Kind::linear) {
    weights_.clear();
    return;
  }
  need(table.terms != nullptr, "terms", "linear");
  const std::size_t terms = game.initial().term_names().size();
  if (weights_.size() != terms)
    throw std::invalid_argument("the linear evaluation of " + game_ + " needs " + std::to_string(terms) +
                                " weights, one per term, not " + std::to_string(weights_.size()) + ".");
  for (const double weight : weights_)
    if (!std::isfinite(weight))
      throw std::invalid_argument("a weight of the linear evaluation of " + game_ + " is no finite number.");
}

void Evaluation::linear(const State& state, Values& out) const {
  double total = 0;
  for (std::size_t p = 0; p < players_; ++p) total += out[p] = weighed(state, static_cast<int>(p));
  const auto others = static_cast<double>(players_) - 1;
  for (std::size_t p = 0; p < players_; ++p) {
    const double z = others > 0 ? out[p] - (total - out[p]) / others : out[p];
    out[p] = middle_ + reach_ * squashed(z);
  }
}

void Evaluation::settled(const State& state, Values& out) const {
  if (!state.is_over()) return (*this)(state, out);
  out.fill(0);
  state.returns(out);
}

bool Evaluation::fits(const Game& game) const {
  const Table& table = game.initial().table();
  return game.facts().name == game_ && static_cast<std::size_t>(game.facts().players) == players_ &&
         (kind_ != Kind::heuristic || table.heuristic != nullptr) && (kind_ != Kind::linear || table.terms != nullptr);
}

void Evaluation::nonsense(const State& state, const char* ability, int player, double value) const {
  std::string where = state.table().to_text != nullptr ? state.to_text() : state.draw();
  std::replace(where.begin(), where.end(), '\n', ' ');
  throw std::invalid_argument(game_ + ": " + ability + "() makes the value of player " + std::to_string(player) + " " +
                              (std::isnan(value) ? "not a number" : "infinite") + " in the position " + brief(where) +
                              ".");
}

} // namespace sevenfold
