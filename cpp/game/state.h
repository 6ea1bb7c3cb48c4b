// State: a value that holds any game's rules struct and forgets its type.
//
// The struct lives in a buffer inside the State (structs over kInline bytes in one heap block that assignment
// reuses), and a table of function pointers, one table per rules type, stands in for virtual methods. So a State
// copies like the struct it holds, lives on the stack, and searches are written once for all games. An ability
// the rules do not offer is a null pointer in the table.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/playout.h"
#include "game/rules.h"

namespace sevenfold {

struct Table {
  std::size_t size; // bytes used in the buffer
  void (*construct)(void* to, const void* from);
  void (*assign)(void* to, const void* from);
  void (*destroy)(void*); // null where nothing needs doing

  int (*to_move)(const void*);
  void (*legal_actions)(const void*, ActionList&);
  void (*play)(void*, Action);
  void (*returns)(const void*, Values&);
  std::uint64_t (*hash)(const void*);
  std::string (*draw)(const void*);
  std::string (*action_text)(const void*, Action);
  int (*play_out)(void*, Rng&);
  int (*step)(void* to, const void* from, Action); // copy, play and to_move in one call

  void (*chance)(const void*, OutcomeList&);
  int (*chance_for)(const void*);
  Action (*typical)(const void*);
  void (*observe)(const void*, int viewer, Observation&);
  void (*redeal)(void*, int viewer, Rng&);
  std::string (*view)(const void*, int viewer);
  std::uint64_t (*known)(const void*, int viewer);
  void (*rewind)(void*, ActionList&);
  std::uint32_t (*stir)(void*, int viewer, Rng&);
  void (*odds)(const void*, Odds&);
  Action (*suggest)(const void*, Rng&);
  void (*heuristic)(const void*, Values&);
  void (*terms)(const void*, int player, Terms&);
  std::vector<std::string> (*term_names)(const void*);
  void (*handicap)(void*);
  void (*order)(const void*, Action previous, ActionList&);
  bool (*independent)(const void*, Action);
  bool (*commutes)(const void*, Action, Action other);
  bool (*quiet)(const void*);
  std::uint64_t (*canonical)(const void*);
  int (*symmetries)(const void*);
  void (*symmetric)(void*, int symmetry);
  Action (*symmetric_action)(const void*, int symmetry, Action);
  int (*looks)(const void*);
  void (*look)(void*, int which);
  Action (*look_action)(const void*, int which, Action);
  void (*put_off)(void*);
  Action (*random_action)(const void*, Rng&);
  bool (*narrow)(const void*, ActionList&);
  Action (*forced_win)(const void*);
  std::unique_ptr<Prover> (*prover)(const void*, std::size_t bytes);
  int (*rollout)(void*, Rng&);
  Action (*habit)(const void*, int which, Rng&);
  std::vector<std::string> (*habits)();
  int habit_count;
  std::uint32_t (*takers)(const void*, Action);
  std::string (*to_text)(const void*);
  void (*parse)(void*, std::string_view);
  std::string (*json)(const void*);
  Action (*parse_action)(const void*, std::string_view);
};

class State {
 public:
  static constexpr std::size_t kInline = 1024;

  template <Rules R>
  static State holding(const R& rules, const Table& table);

  State(const State& other) : State(*other.table_, other.buffer_) {}
  State& operator=(const State& other) {
    if (table_ == other.table_) {
      table_->assign(buffer_, other.buffer_);
    } else if (this != &other) {
      if (table_->destroy != nullptr) table_->destroy(buffer_);
      table_ = other.table_;
      table_->construct(buffer_, other.buffer_);
    }
    return *this;
  }
  ~State() {
    if (table_->destroy != nullptr) table_->destroy(buffer_);
  }

  const Table& table() const { return *table_; }
  void* data() { return buffer_; }
  const void* data() const { return buffer_; }

  int to_move() const { return table_->to_move(buffer_); }
  bool is_over() const { return to_move() == TERMINAL; }
  void legal_actions(ActionList& out) const { table_->legal_actions(buffer_, out); }
  // The legal actions; at a chance node the outcomes; nothing after the end.
  void choices(ActionList& out) const;
  void play(Action action) { table_->play(buffer_, action); }
  void returns(Values& out) const { table_->returns(buffer_, out); }
  std::uint64_t hash() const { return table_->hash(buffer_); }
  std::string draw() const { return table_->draw(buffer_); }
  std::string action_text(Action action) const { return table_->action_text(buffer_, action); }

  // Plays to the end at random, in place; the number of plies, or -1 if there was no end.
  int play_out(Rng& rng) { return table_->play_out(buffer_, rng); }

  // Becomes the position after an action in another position of the same game; who is to move there.
  int step(const State& from, Action action) { return table_->step(buffer_, from.buffer_, action); }

  void chance(OutcomeList& out) const { table_->chance(buffer_, out); }
  int chance_for() const { return table_->chance_for != nullptr ? table_->chance_for(buffer_) : -1; }
  Action typical() const { return table_->typical != nullptr ? table_->typical(buffer_) : kNoAction; }
  void observe(int viewer, Observation& out) const { table_->observe(buffer_, viewer, out); }
  void redeal(int viewer, Rng& rng) { table_->redeal(buffer_, viewer, rng); }
  std::string view(int viewer) const { return table_->view != nullptr ? table_->view(buffer_, viewer) : draw(); }
  std::uint64_t known(int viewer) const { return table_->known(buffer_, viewer); }
  void rewind(ActionList& out) { table_->rewind(buffer_, out); }
  std::uint32_t stir(int viewer, Rng& rng) { return table_->stir(buffer_, viewer, rng); }
  void odds(Odds& out) const { table_->odds(buffer_, out); }
  Action suggest(Rng& rng) const { return table_->suggest(buffer_, rng); }
  void heuristic(Values& out) const { table_->heuristic(buffer_, out); }
  void terms(int player, Terms& out) const { table_->terms(buffer_, player, out); }
  std::vector<std::string> term_names() const { return table_->term_names(buffer_); }
  void handicap() { table_->handicap(buffer_); }
  void order(Action previous, ActionList& list) const { table_->order(buffer_, previous, list); }
  bool independent(Action action) const { return table_->independent(buffer_, action); }
  bool commutes(Action action, Action other) const { return table_->commutes(buffer_, action, other); }
  bool quiet() const { return table_->quiet == nullptr || table_->quiet(buffer_); }
  std::uint64_t canonical() const { return table_->canonical != nullptr ? table_->canonical(buffer_) : hash(); }
  int symmetries() const { return table_->symmetries != nullptr ? table_->symmetries(buffer_) : 1; }
  void make_symmetric(int symmetry) { table_->symmetric(buffer_, symmetry); }
  Action symmetric_action(int symmetry, Action action) const {
    return table_->symmetric_action(buffer_, symmetry, action);
  }
  int looks() const { return table_->looks != nullptr ? table_->looks(buffer_) : 1; }
  void look(int which) { table_->look(buffer_, which); }
  Action look_action(int which, Action action) const { return table_->look_action(buffer_, which, action); }
  void put_off() { table_->put_off(buffer_); }
  bool narrow(ActionList& list) const { return table_->narrow(buffer_, list); }
  Action forced_win() const { return table_->forced_win(buffer_); }
  std::unique_ptr<Prover> prover(std::size_t bytes) const { return table_->prover(buffer_, bytes); }
  Action habit(int which, Rng& rng) const { return table_->habit(buffer_, which, rng); }
  int habit_count() const { return table_->habit_count; }
  // Which habits would take an action here, a bit for each.
  std::uint32_t takers(Action action) const {
    if (table_->takers != nullptr) return table_->takers(buffer_, action);
    std::uint32_t out = 0;
    for (int which = 0; which < table_->habit_count; ++which)
      if (Rng rng(0); habit(which, rng) == action) out |= std::uint32_t{1} << which;
    return out;
  }
  std::vector<std::string> habits() const {
    return table_->habits != nullptr ? table_->habits() : std::vector<std::string>{};
  }
  int rollout(Rng& rng) { return table_->rollout(buffer_, rng); }
  std::string to_text() const { return table_->to_text(buffer_); }
  std::string json() const { return table_->json(buffer_); }
  void parse(std::string_view text) { table_->parse(buffer_, text); }

 private:
  State(const Table& table, const void* from) : table_(&table) { table_->construct(buffer_, from); }

  const Table* table_;
  alignas(std::max_align_t) std::byte buffer_[kInline];
};

inline void State::choices(ActionList& out) const {
  const int mover = to_move();
  if (mover == TERMINAL) return;
  if (mover != CHANCE) return legal_actions(out);
  OutcomeList outcomes;
  chance(outcomes);
  for (const auto& outcome : outcomes) out.push(outcome.action);
}

// How a rules struct sits in the buffer: itself when it fits, in a reused heap block otherwise.
template <class R>
class Boxed {
 public:
  explicit Boxed(const R& rules) : rules_(std::make_unique<R>(rules)) {}
  Boxed(const Boxed& other) : Boxed(*other.rules_) {}
  Boxed& operator=(const Boxed& other) {
    *rules_ = *other.rules_;
    return *this;
  }
  R& get() { return *rules_; }
  const R& get() const { return *rules_; }

 private:
  std::unique_ptr<R> rules_;
};

template <class R>
inline constexpr bool kFitsInline = sizeof(R) <= State::kInline && alignof(R) <= alignof(std::max_align_t);
template <class R>
using Stored = std::conditional_t<kFitsInline<R>, R, Boxed<R>>;

template <class R>
R& held(void* buffer) {
  if constexpr (kFitsInline<R>) return *static_cast<R*>(buffer);
  else return static_cast<Boxed<R>*>(buffer)->get();
}
template <class R>
const R& held(const void* buffer) {
  if constexpr (kFitsInline<R>) return *static_cast<const R*>(buffer);
  else return static_cast<const Boxed<R>*>(buffer)->get();
}

// Padding and all where that is allowed: copying the members alone takes overlapping stores, and reading across two
// of those right after them stalls the processor.
template <class S>
void copy_stored(void* to, const void* from) {
  if constexpr (std::is_trivially_copyable_v<S>) std::memcpy(to, from, sizeof(S));
  else *static_cast<S*>(to) = *static_cast<const S*>(from);
}

// The table of a rules type.
template <Rules R>
constexpr Table make_table() {
  using S = Stored<R>;
  Table t{};
  t.size = sizeof(S);
  t.construct = [](void* to, const void* from) { new (to) S(*static_cast<const S*>(from)); };
  t.assign = copy_stored<S>;
  if constexpr (!std::is_trivially_destructible_v<S>) t.destroy = [](void* p) { static_cast<S*>(p)->~S(); };

  t.to_move = [](const void* p) { return static_cast<int>(held<R>(p).to_move()); };
  t.legal_actions = [](const void* p, ActionList& out) { held<R>(p).legal_actions(out); };
  t.play = [](void* p, Action action) { held<R>(p).play(action); };
  t.returns = [](const void* p, Values& out) { held<R>(p).returns(out); };
  t.hash = [](const void* p) { return held<R>(p).hash(); };
  t.draw = [](const void* p) { return std::string(held<R>(p).draw()); };
  t.action_text = [](const void* p, Action action) { return std::string(held<R>(p).action_text(action)); };
  t.play_out = [](void* p, Rng& rng) { return play_out(held<R>(p), rng); };
  t.step = [](void* to, const void* from, Action action) {
    copy_stored<S>(to, from);
    held<R>(to).play(action);
    return static_cast<int>(held<R>(to).to_move());
  };

  if constexpr (HasChance<R>) t.chance = [](const void* p, OutcomeList& out) { held<R>(p).chance(out); };
  if constexpr (HasChanceFor<R>) t.chance_for = [](const void* p) { return static_cast<int>(held<R>(p).chance_for()); };
  if constexpr (HasTypical<R>) t.typical = [](const void* p) { return static_cast<Action>(held<R>(p).typical()); };
  if constexpr (HasObserve<R>)
    t.observe = [](const void* p, int viewer, Observation& out) { held<R>(p).observe(viewer, out); };
  if constexpr (HasRedeal<R>) t.redeal = [](void* p, int viewer, Rng& rng) { held<R>(p).redeal(viewer, rng); };
  if constexpr (HasView<R>) t.view = [](const void* p, int viewer) { return std::string(held<R>(p).view(viewer)); };
  if constexpr (HasKnown<R>) t.known = [](const void* p, int viewer) { return held<R>(p).known(viewer); };
  if constexpr (HasRewind<R>) t.rewind = [](void* p, ActionList& out) { held<R>(p).rewind(out); };
  if constexpr (HasStir<R>) t.stir = [](void* p, int viewer, Rng& rng) { return held<R>(p).stir(viewer, rng); };
  if constexpr (HasOdds<R>) t.odds = [](const void* p, Odds& out) { held<R>(p).odds(out); };
  if constexpr (HasSuggest<R>)
    t.suggest = [](const void* p, Rng& rng) { return static_cast<Action>(held<R>(p).suggest(rng)); };
  if constexpr (HasHeuristic<R>) t.heuristic = [](const void* p, Values& out) { held<R>(p).heuristic(out); };
  if constexpr (HasTerms<R>) {
    t.terms = [](const void* p, int player, Terms& out) { held<R>(p).terms(player, out); };
    t.term_names = [](const void* p) {
      const auto& names = held<R>(p).term_names;
      return std::vector<std::string>(names.begin(), names.end());
    };
  }
  if constexpr (HasHandicap<R>) t.handicap = [](void* p) { held<R>(p).handicap(); };
  if constexpr (HasOrder<R>)
    t.order = [](const void* p, Action previous, ActionList& list) { held<R>(p).order(previous, list); };
  if constexpr (HasIndependent<R>)
    t.independent = [](const void* p, Action action) { return static_cast<bool>(held<R>(p).independent(action)); };
  if constexpr (HasCommutes<R>)
    t.commutes = [](const void* p, Action action, Action other) {
      return static_cast<bool>(held<R>(p).commutes(action, other));
    };
  if constexpr (HasQuiet<R>) t.quiet = [](const void* p) { return static_cast<bool>(held<R>(p).quiet()); };
  if constexpr (HasCanonical<R>) t.canonical = [](const void* p) { return held<R>(p).canonical(); };
  if constexpr (HasSymmetries<R>) {
    t.symmetries = [](const void* p) { return static_cast<int>(held<R>(p).symmetries()); };
    t.symmetric = [](void* p, int symmetry) { held<R>(p) = held<R>(p).symmetric(symmetry); };
    t.symmetric_action = [](const void* p, int symmetry, Action action) {
      return static_cast<Action>(held<R>(p).symmetric_action(symmetry, action));
    };
  }
  if constexpr (HasLooks<R>) {
    t.looks = [](const void* p) { return static_cast<int>(held<R>(p).looks()); };
    t.look = [](void* p, int which) { held<R>(p).look(which); };
    t.look_action = [](const void* p, int which, Action action) {
      return static_cast<Action>(held<R>(p).look_action(which, action));
    };
  }
  if constexpr (HasPutOff<R>) t.put_off = [](void* p) { held<R>(p).put_off(); };
  if constexpr (HasRandomAction<R>)
    t.random_action = [](const void* p, Rng& rng) { return static_cast<Action>(held<R>(p).random_action(rng)); };
  if constexpr (HasNarrow<R>)
    t.narrow = [](const void* p, ActionList& list) { return static_cast<bool>(held<R>(p).narrow(list)); };
  if constexpr (HasForcedWin<R>)
    t.forced_win = [](const void* p) { return static_cast<Action>(held<R>(p).forced_win()); };
  if constexpr (HasProver<R>) t.prover = [](const void* p, std::size_t bytes) { return held<R>(p).prover(bytes); };
  if constexpr (HasRollout<R>) t.rollout = [](void* p, Rng& rng) { return static_cast<int>(held<R>(p).rollout(rng)); };
  if constexpr (HasHabit<R>) {
    t.habit = [](const void* p, int which, Rng& rng) { return static_cast<Action>(held<R>(p).habit(which, rng)); };
    t.habits = [] { return std::vector<std::string>(R::habits.begin(), R::habits.end()); };
    t.habit_count = static_cast<int>(R::habits.size());
  }
  if constexpr (HasTakers<R>)
    t.takers = [](const void* p, Action a) { return static_cast<std::uint32_t>(held<R>(p).takers(a)); };
  if constexpr (HasText<R>) {
    t.to_text = [](const void* p) { return std::string(held<R>(p).to_text()); };
    t.parse = [](void* p, std::string_view text) { held<R>(p).parse(text); };
  }
  if constexpr (HasJson<R>) t.json = [](const void* p) { return std::string(held<R>(p).json()); };
  if constexpr (HasParseAction<R>)
    t.parse_action = [](const void* p, std::string_view text) {
      return static_cast<Action>(held<R>(p).parse_action(text));
    };
  return t;
}

template <Rules R>
inline constexpr Table kTable = make_table<R>();

template <Rules R>
State State::holding(const R& rules, const Table& table) {
  if constexpr (kFitsInline<R>) {
    return State(table, &rules);
  } else {
    const Boxed<R> boxed(rules);
    return State(table, &boxed);
  }
}

} // namespace sevenfold
