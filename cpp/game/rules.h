// The rules interface: what a game is. A game is a plain struct that holds one position and satisfies the
// concept `Rules`; there is nothing to inherit and nothing to allocate. A struct may offer more than the
// minimum, and each extra method is an *ability*, detected by the concepts below: a search that needs an
// ability asks for it by name and refuses a game that lacks it.
//
//   must have
//     facts                     static: name, version, players, actions … (struct Facts)
//     to_move()                 0 .. players-1, or CHANCE, or TERMINAL
//     legal_actions(list)       the mover's actions; not called at chance nodes or after the end
//     play(action)              in place; the caller guarantees that the action (or outcome) is legal
//     returns(values)           what each player has got so far; `values` arrives zeroed
//     hash()                    64 bits; equal positions hash equal
//     draw()                    the position as text for people
//     action_text(action)       what a person types and reads for this action in this position
//
//   may have: abilities
//     chance(list)              outcomes with probabilities at a chance node
//     chance_for()              whose draw or dice a chance node is; -1: nobody's in particular
//     typical()                 the outcome that may stand for all of a chance node (the expectation of dice), or
//                               kNoAction where none does (a draw of cards)
//     observe(viewer, out)      planes and features for a network; nothing hidden from `viewer` may leak
//     redeal(viewer, rng)       hidden information: turns this into another world that `viewer` cannot tell apart
//     view(viewer)              hidden information: draw() for one pair of eyes
//     known(viewer)             64 bits that are equal for positions which the viewer cannot tell apart; faster than
//     the
//                               view, which stands in for it
//     rewind(list)              hidden information: goes back to the first decision of this world, and lists the
//     actions
//                               that lead from there to where it was, the hidden ones as this world has them
//     stir(viewer, rng)         hidden information: a small random change of what `viewer` cannot see, as likely as the
//                               change back; one bit for each player that it gave another hand, 0 if it changed nothing
//     odds(list)                how likely the game's own quick policy takes each legal action, in their order, as
//                               weights; the mover's own knowledge decides, nothing hidden from it
//     suggest(rng)              an action by that policy, faster than by its odds; it may be less random than they are
//     heuristic(values)         a guess at the returns, per player
//     terms(player, list)       the numbers that a linear evaluation weighs for a player, always as many, named in turn
//                               by `static constexpr std::array<std::string_view, N> term_names`
//     handicap()                the mover gives up a part of its resource (self-loss pruning)
//     order(previous, list)     sorts `list` best first, knowing the previous action
//     independent(action)       the order of such actions among each other does not matter
//     commutes(action, other)   the independent `action` right after `other` leads to the same as right before it
//     quiet()                   a good place to compare positions by an evaluation: nothing is half done
//     canonical()               a hash that is equal for positions which differ only in an order that does not matter
//     symmetries()              how many symmetries the position's game has, the identity (0) included;
//       symmetric(s)              the position seen through symmetry s;
//       symmetric_action(s, a)    so that play(a) then symmetric(s) == symmetric(s) then play(symmetric_action(s, a))
//     looks()                   how many ways a position looks for somebody who learns from it, itself (0) included: in
//                               a mirror that the rules hardly notice, or with less of the future dealt;
//       look(k)                   turns this into look k, whose legal actions are the images of the position's own;
//       look_action(k, a)         the image of an action of the position in look k
//     put_off()                 from here on chance decides only what the next decision needs: a search goes deeper
//                               before it meets chance. What is known stays known, and what follows is as likely
//     narrow(list)              keeps of the legal actions the one that wins at once (then true), else those
//                               after which the next player cannot win at once (all of them where there are none)
//     forced_win()              an action that wins whatever the others do, where a quick look finds one;
//                               kNoAction where it finds none
//     prover(bytes)             the game's own solver, a std::unique_ptr<Prover> with a table of so many bytes: takes
//     the
//                               place of alpha-beta where exact results are wanted (two players, zero sum)
//     rollout(rng)              plays to the end by the game's own quick policy, in place; the number of plies
//     habit(which, rng)         what a simple player of the game's own does here; `static constexpr
//                               std::array<std::string_view, N> habits` names them: opponents to learn against, without
//                               a search
//     takers(action)            which of them would take an action here, a bit for each: for a search that wonders who
//                               it plays with, quicker than asking one by one
//     random_action(rng)        a legal action, each equally likely, faster than listing them all
//     to_text(), parse(text)    a short text of the position; parse is called on an initial position and throws
//                               std::invalid_argument, with one sentence, for a text that is no position
//     json()                    the position as the text of a JSON object: to_json() adds its keys to its own
//     parse_action(text)        when action_text alone cannot be turned round; kNoAction if unknown
//
//   options: `static OptionList options()`; then `struct Setup { explicit Setup(const Options&); … }`, made once
//   per game, holds what follows from them, and the struct is constructed from `const Setup&` (which outlives it).
//   `static Facts facts_for(const Setup&)` replaces `facts` where options change them. A game whose struct should
//   differ by option registers several, each with `static bool fits(const Options&)`.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/rng.h"
#include "core/types.h"
#include "game/observation.h"
#include "game/options.h"
#include "game/prover.h"

namespace sevenfold {

// What the players' returns add up to at the end of a game.
enum class Sum { zero, any };

struct Facts {
  std::string_view name;
  int version = 1; // raise it when a rule change makes old records replay differently
  int players = 2;
  int actions = 0;  // action ids are 0 .. actions-1
  int outcomes = 0; // chance outcome ids are 0 .. outcomes-1
  Planes planes{};
  int features = 0;
  double min_return = -1, max_return = 1;
  Sum sum = Sum::zero;
  // Above 0: returns() grows on the way, and a good decision is worth about so much more than a fair one. Then a net
  // says what is still to come, and searches judge values by how far those in their tree differ.
  double gain = 0;
  int max_plies = 0; // no game is longer, chance included; 0: not known
};

template <class R>
concept Rules = std::copyable<R> && requires(const R& rules, R& mutable_rules, ActionList& actions, Values& values) {
  { R::facts } -> std::convertible_to<Facts>;
  { rules.to_move() } -> std::convertible_to<int>;
  rules.legal_actions(actions);
  mutable_rules.play(Action{});
  rules.returns(values);
  { rules.hash() } -> std::same_as<std::uint64_t>;
  { rules.draw() } -> std::convertible_to<std::string>;
  { rules.action_text(Action{}) } -> std::convertible_to<std::string>;
};

template <class R>
concept HasChance = requires(const R& rules, OutcomeList& out) { rules.chance(out); };
template <class R>
concept HasChanceFor = requires(const R& rules) {
  { rules.chance_for() } -> std::convertible_to<int>;
};
template <class R>
concept HasTypical = requires(const R& rules) {
  { rules.typical() } -> std::convertible_to<Action>;
};
template <class R>
concept HasObserve = requires(const R& rules, Observation& out) { rules.observe(0, out); };
template <class R>
concept HasRedeal = requires(R& rules, Rng& rng) { rules.redeal(0, rng); };
template <class R>
concept HasView = requires(const R& rules) {
  { rules.view(0) } -> std::convertible_to<std::string>;
};
template <class R>
concept HasKnown = requires(const R& rules) {
  { rules.known(0) } -> std::same_as<std::uint64_t>;
};
template <class R>
concept HasRewind = requires(R& rules, ActionList& out) { rules.rewind(out); };
template <class R>
concept HasStir = requires(R& rules, Rng& rng) {
  { rules.stir(0, rng) } -> std::same_as<std::uint32_t>;
};
template <class R>
concept HasOdds = requires(const R& rules, Odds& out) { rules.odds(out); };
template <class R>
concept HasSuggest = requires(const R& rules, Rng& rng) {
  { rules.suggest(rng) } -> std::convertible_to<Action>;
};
template <class R>
concept HasHeuristic = requires(const R& rules, Values& out) { rules.heuristic(out); };
template <class R>
concept HasTerms = requires(const R& rules, Terms& out) { rules.terms(0, out); };
template <class R>
concept HasHandicap = requires(R& rules) { rules.handicap(); };
template <class R>
concept HasOrder = requires(const R& rules, ActionList& list) { rules.order(Action{}, list); };
template <class R>
concept HasIndependent = requires(const R& rules) {
  { rules.independent(Action{}) } -> std::convertible_to<bool>;
};
template <class R>
concept HasCommutes = requires(const R& rules) {
  { rules.commutes(Action{}, Action{}) } -> std::convertible_to<bool>;
};
template <class R>
concept HasQuiet = requires(const R& rules) {
  { rules.quiet() } -> std::convertible_to<bool>;
};
template <class R>
concept HasCanonical = requires(const R& rules) {
  { rules.canonical() } -> std::same_as<std::uint64_t>;
};
template <class R>
concept HasSymmetries = requires(const R& rules) {
  { rules.symmetries() } -> std::convertible_to<int>;
  { rules.symmetric(0) } -> std::same_as<R>;
  { rules.symmetric_action(0, Action{}) } -> std::convertible_to<Action>;
};
template <class R>
concept HasRandomAction = requires(const R& rules, Rng& rng) {
  { rules.random_action(rng) } -> std::convertible_to<Action>;
};
template <class R>
concept HasLooks = requires(const R& rules, R& mutable_rules) {
  { rules.looks() } -> std::convertible_to<int>;
  mutable_rules.look(0);
  { rules.look_action(0, Action{}) } -> std::convertible_to<Action>;
};
template <class R>
concept HasPutOff = requires(R& rules) { rules.put_off(); };
template <class R>
concept HasNarrow = requires(const R& rules, ActionList& list) {
  { rules.narrow(list) } -> std::convertible_to<bool>;
};
template <class R>
concept HasForcedWin = requires(const R& rules) {
  { rules.forced_win() } -> std::convertible_to<Action>;
};
template <class R>
concept HasProver = requires(const R& rules) {
  { rules.prover(std::size_t{}) } -> std::same_as<std::unique_ptr<Prover>>;
};
template <class R>
concept HasRollout = requires(R& rules, Rng& rng) {
  { rules.rollout(rng) } -> std::convertible_to<int>;
};
template <class R>
concept HasHabit = requires(const R& rules, Rng& rng) {
  { rules.habit(0, rng) } -> std::convertible_to<Action>;
  { R::habits.size() } -> std::convertible_to<std::size_t>;
};
template <class R>
concept HasTakers = HasHabit<R> && requires(const R& rules) {
  { rules.takers(Action{}) } -> std::convertible_to<std::uint32_t>;
};
template <class R>
concept HasText = requires(const R& rules, R& mutable_rules, std::string_view text) {
  { rules.to_text() } -> std::convertible_to<std::string>;
  mutable_rules.parse(text);
};
template <class R>
concept HasJson = requires(const R& rules) {
  { rules.json() } -> std::convertible_to<std::string>;
};
template <class R>
concept HasParseAction = requires(const R& rules, std::string_view text) {
  { rules.parse_action(text) } -> std::convertible_to<Action>;
};

} // namespace sevenfold
