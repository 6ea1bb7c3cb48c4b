// Tetris for two: the players place in turn, one piece each, and send each other what their clears are worth. Who tops
// out loses. Everything about a side is the room tetris'; both see both sides, and nobody the bags' future.
#pragma once

#include "tetris/rules.h"

namespace sevenfold::tetris_versus {

using namespace tetris;

struct Versus {
  struct Setup : tetris::Setup {
    explicit Setup(const Options& options) : tetris::Setup(options, true) {}
  };

  static constexpr Facts facts{.name = "tetris_versus", .players = 2, .outcomes = kOutcomes};
  static Facts facts_for(const Setup& s) {
    Facts out = facts;
    out.actions = actions_of(s);
    out.planes = s.document ? Planes{2, 20, kCols} : Planes{2 * kPlanes, s.rows, kCols};
    out.features = 2 * features_of(s) + 1;
    out.max_plies = s.max_plies();
    return out;
  }
  static OptionList options() { return tetris::Setup::options(true); }

  const tetris::Setup* setup;
  std::array<Side, 2> sides{};
  std::int8_t mover = 0;

  explicit Versus(const Setup& made) : setup(&made) {}

  int to_move() const {
    if (over()) return TERMINAL;
    return drawing() >= 0 ? CHANCE : mover;
  }
  void legal_actions(ActionList& out) const {
    each_choice(*setup, sides[at(mover)], [&](bool hold, const Placement& p) { out.push(encoded(*setup, hold, p)); });
  }
  void play(Action action) {
    if (const int who = drawing(); who >= 0) return sides[at(who)].resolve(*setup, action);
    const Choice choice = chosen(*setup, sides[at(mover)], action);
    place(choice.hold, choice.placement);
  }
  Placed place(bool hold, const Placement& p) {
    Side &own = sides[at(mover)], &other = sides[at(1 - mover)];
    const Placed out = own.place(*setup, hold, p);
    if (own.end == End::none) {
      int used = out.attack.lines - out.sent; // to cancel, the first packets first
      for (const int packet : out.attack.packets()) {
        const int part = std::min(used, packet);
        used -= part;
        other.receive(packet - part);
      }
      if (!own.needs_chance(*setup)) own.arrive(*setup);
      if (own.pieces >= setup->pieces && other.pieces >= setup->pieces && own.end == End::none)
        own.end = other.end = End::done;
    }
    mover = static_cast<std::int8_t>(1 - mover);
    return out;
  }
  void returns(Values& out) const {
    for (std::size_t i = 0; i < 2; ++i)
      if (sides[i].end != End::none && sides[i].end != End::done) {
        out[i] = -1;
        out[1 - i] = 1;
      }
  }
  std::uint64_t hash() const { return mix(mix(sides[0].hash(), sides[1].hash()), static_cast<std::uint64_t>(mover)); }
  std::string draw() const {
    std::string out;
    for (int i = 0; i < 2; ++i) {
      if (i > 0) out += '\n';
      out += "player " + std::to_string(i) + (to_move() == i ? ", to move" : "");
      for (const std::string& line : drawn(*setup, sides[at(i)])) out += "\n" + line;
    }
    return out;
  }
  std::string action_text(Action action) const {
    if (drawing() >= 0)
      return action < kPieces ? std::string(1, kLetters[at(action)]) : "hole" + std::to_string(action - kHoleOutcome);
    const Choice choice = chosen(*setup, sides[at(mover)], action);
    return choice_text(choice.hold, choice.placement);
  }

  // Ability: chance. The holes and the piece of who has just placed come first.
  void chance(OutcomeList& out) const { sides[at(drawing())].chance(*setup, out); }
  // Ability: chance_for.
  int chance_for() const { return drawing(); }
  // Ability: observe. The viewer's side, the other's, and whether the viewer is to move.
  void observe(int viewer, Observation& out) const {
    Observer observer(*setup, out);
    for (const int i : {viewer, 1 - viewer}) {
      if (setup->document) observer.add_document(sides[at(i)]);
      else observer.add(sides[at(i)]);
    }
    out.feature(2 * features_of(*setup)) = mover == viewer ? 1.0f : 0.0f;
  }

  // Ability: put_off. A search draws pieces when they are needed, not when they would be seen.
  void put_off() { sides[0].sparing = sides[1].sparing = true; }
  // Ability: looks. As alone: in a mirror where the look is odd, and with the last pieces of either queue not drawn
  // yet, down to the next one, the mover's and the other's on their own.
  int looks() const { return 2 * hideable(mover) * hideable(1 - mover); }
  void look(int which) {
    const int own = which / 2 % hideable(mover), other = which / 2 / hideable(mover);
    for (int i = 0; i < own; ++i) sides[at(mover)].forget(*setup);
    for (int i = 0; i < other; ++i) sides[at(1 - mover)].forget(*setup);
    if (which > 1) put_off();
    if (which % 2 == 1)
      for (Side& side : sides) side.mirror();
  }
  Action look_action(int which, Action action) const {
    if (which % 2 == 0) return action;
    const Choice choice = decoded(*setup, sides[at(mover)], action);
    return encoded(*setup, choice.hold, mirrored(choice.placement));
  }

  // Abilities: to_text and parse.
  std::string to_text() const {
    return "turn=" + std::to_string(mover) + " " + written(sides[0]) + " | " + written(sides[1]);
  }
  void parse(std::string_view text) {
    if (!text.starts_with("turn=0 ") && !text.starts_with("turn=1 ")) Reader::fail("it begins with turn=0 or turn=1");
    mover = static_cast<std::int8_t>(text[5] - '0');
    const auto bar = text.find(" | ");
    if (bar == std::string_view::npos) Reader::fail("the two sides are written with | between them");
    sides = {Reader(*setup).read(text.substr(7, bar - 7)), Reader(*setup).read(text.substr(bar + 3))};
  }

 private:
  // How many lengths of a side's queue can be shown.
  int hideable(int who) const { return std::max(1, sides[at(who)].queued - 1); }
  bool over() const { return sides[0].end != End::none || sides[1].end != End::none; }
  // Whose chance is next, or -1.
  int drawing() const {
    for (const int i : {1 - mover, static_cast<int>(mover)})
      if (sides[at(i)].needs_chance(*setup)) return i;
    return -1;
  }
};

static_assert(sizeof(Versus) <= 512 && std::is_trivially_copyable_v<Versus>);

inline void enter(Registry& registry) { registry.add<Versus>(); }

} // namespace sevenfold::tetris_versus
