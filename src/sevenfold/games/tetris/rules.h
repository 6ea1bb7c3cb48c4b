// Tetris alone: place pieces for attack, lines, survival or score, within a number of pieces.
//
// An action is a placement: where the piece comes to rest, its spin, and whether the hold is used (codec.h). Chance
// fills the queue from the bag, one piece a node, and says where the holes of garbage are: no state knows the future.
// pieces.h, board.h and moves.h have the geometry, side.h what happens, attack.h what it is worth, setup.h the options.
#pragma once

#include "tetris/codec.h"
#include "tetris/observation.h"
#include "tetris/text.h"

namespace sevenfold::tetris {

struct Tetris {
  struct Setup : tetris::Setup {
    explicit Setup(const Options& options) : tetris::Setup(options, false) {}
  };

  static constexpr Facts facts{.name = "tetris", .players = 1, .outcomes = kOutcomes, .sum = Sum::any};
  static Facts facts_for(const Setup& s) {
    Facts out = facts;
    out.actions = actions_of(s);
    out.planes = s.document ? Planes{1, 20, kCols} : Planes{kPlanes, s.rows, kCols};
    out.features = features_of(s);
    out.min_return = 0;
    out.max_return = s.most_return();
    out.gain = s.gain();
    out.max_plies = s.max_plies();
    return out;
  }
  static OptionList options() { return tetris::Setup::options(false); }

  const tetris::Setup* setup;
  Side side{};

  explicit Tetris(const Setup& made) : setup(&made) {}

  int to_move() const { return side.end != End::none ? TERMINAL : side.needs_chance(*setup) ? CHANCE : 0; }
  void legal_actions(ActionList& out) const {
    each_choice(*setup, side, [&](bool hold, const Placement& p) { out.push(encoded(*setup, hold, p)); });
  }
  void play(Action action) {
    if (side.needs_chance(*setup)) return side.resolve(*setup, action);
    const Choice choice = chosen(*setup, side, action);
    place(choice.hold, choice.placement);
  }
  Placed place(bool hold, const Placement& p) {
    const Placed out = side.place(*setup, hold, p);
    if (side.end == End::none && side.pieces >= setup->pieces) side.end = End::done;
    if (setup->garbage_every > 0 && side.pieces % setup->garbage_every == 0) side.receive(setup->garbage_rows);
    if (side.end == End::none && !side.needs_chance(*setup)) side.arrive(*setup);
    return out;
  }
  void returns(Values& out) const {
    const std::array<std::int32_t, 4> counts{side.attack, side.lines, side.pieces, side.score};
    out[0] = counts[static_cast<std::size_t>(setup->objective)];
  }
  std::uint64_t hash() const { return side.hash(); }
  std::string draw() const {
    std::string out;
    for (const std::string& line : drawn(*setup, side)) out += (out.empty() ? "" : "\n") + line;
    return out;
  }
  std::string action_text(Action action) const {
    if (side.needs_chance(*setup))
      return action < kPieces ? std::string(1, kLetters[at(action)]) : "hole" + std::to_string(action - kHoleOutcome);
    const Choice choice = chosen(*setup, side, action);
    return choice_text(choice.hold, choice.placement);
  }

  // Ability: chance.
  void chance(OutcomeList& out) const { side.chance(*setup, out); }
  // Ability: observe.
  void observe(int, Observation& out) const {
    Observer observer(*setup, out);
    if (setup->document) observer.add_document(side);
    else observer.add(side);
  }

  // Ability: put_off. A search draws a piece when it is needed, not when it would be seen.
  void put_off() { side.sparing = true; }
  // Ability: looks. In a mirror, and with the last pieces of the queue not drawn yet, down to the next one: what a
  // search that draws sparingly sees. Look k is the mirror's where k is odd, without k / 2 pieces.
  int looks() const { return 2 * std::max(1, side.queued - 1); }
  void look(int which) {
    for (int i = 0; i < which / 2; ++i) side.forget(*setup);
    side.sparing = side.sparing || which > 1;
    if (which % 2 == 1) side.mirror();
  }
  Action look_action(int which, Action action) const {
    if (which % 2 == 0) return action;
    const Choice choice = decoded(*setup, side, action);
    return encoded(*setup, choice.hold, mirrored(choice.placement));
  }

  // Abilities: to_text and parse.
  std::string to_text() const { return written(side); }
  void parse(std::string_view text) { side = Reader(*setup).read(text); }
};

static_assert(sizeof(Tetris) <= 256 && std::is_trivially_copyable_v<Tetris>);

inline void enter(Registry& registry) { registry.add<Tetris>(); }

} // namespace sevenfold::tetris
