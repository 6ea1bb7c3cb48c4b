#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "bind/bind.h"
#include "bind/python_rules.h"
#include "core/hash.h"
#include "core/text.h"
#include "game/perft.h"

using namespace nb::literals;

namespace sevenfold::bind {
namespace {

struct BoundObservation {
  nb::object planes, features;
};

constexpr std::int64_t kMostPlayouts = 1'000'000'000; // hours; a larger number is a mistake
const char* kAbilityHelp = " (docs: reference/rules)";

std::string name_of(const BoundState& s) { return std::string(s.core->facts().name); }

void need(const BoundState& s, bool has, const char* ability) {
  if (!has)
    throw std::invalid_argument(name_of(s) + " does not offer the ability '" + ability + "'" + kAbilityHelp + ".");
}

int check_viewer(const BoundState& s, std::int64_t viewer) {
  if (viewer < 0 || viewer >= s.core->facts().players)
    throw std::invalid_argument("viewer must be a player from 0 to " + std::to_string(s.core->facts().players - 1) +
                                ", not " + std::to_string(viewer) + ".");
  return static_cast<int>(viewer);
}

bool has(const ActionList& list, Action action) { return std::find(list.begin(), list.end(), action) != list.end(); }

std::string some_actions(const State& state, const ActionList& list) {
  std::string out;
  constexpr int kShown = 12;
  for (int i = 0; i < std::min(list.size(), kShown); ++i) {
    const Action action = list[static_cast<std::size_t>(i)];
    out += (i == 0 ? "" : ", ") + std::to_string(action) + " (" + brief(state.action_text(action)) + ")";
  }
  return list.size() > kShown ? out + ", …" : out;
}

void require_legal(const BoundState& s, Action action, const ActionList& list) {
  if (has(list, action)) return;
  if (list.empty()) throw std::invalid_argument("this game of " + name_of(s) + " is over: no action can be played.");
  throw std::invalid_argument("action " + std::to_string(action) + " is not legal here in " + name_of(s) +
                              "; legal are " + some_actions(s.state, list) + ".");
}

bool written_in_python(const BoundState& s) { return s.state.table().to_move == kTable<PythonRules>.to_move; }

// A Python play() that plays on the very state it is called for would leave a history that its position did not see.
class Playing {
 public:
  explicit Playing(BoundState& state) : state_(state) {
    if (state_.playing)
      throw std::invalid_argument("this state of " + name_of(state) + " is just being played on; play on a copy.");
    state_.playing = true;
  }
  ~Playing() { state_.playing = false; }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

 private:
  BoundState& state_;
};

void play(BoundState& s, nb::handle value) {
  const Action action = read_action(value);
  ActionList list;
  s.state.choices(list);
  require_legal(s, action, list);
  if (written_in_python(s)) {
    const Playing playing(s);
    // A Python play() may raise half way: it works on a copy, so that the state stays as it was.
    State next = s.state;
    next.play(action);
    (void)next.to_move();
    s.state = next;
  } else {
    s.state.play(action);
  }
  s.history.push_back(action);
}

Action play_chance(BoundState& s) {
  if (s.state.to_move() != CHANCE)
    throw std::invalid_argument("play_chance: it is not chance's turn in this position of " + name_of(s) + ".");
  // The draw depends on the seed and the ply alone, so that a copy or a replay draws the same.
  Rng rng(mix(s.seed, s.history.size()));
  OutcomeList outcomes;
  s.state.chance(outcomes);
  const Action outcome = sample(outcomes, rng);
  play(s, nb::int_(outcome));
  return outcome;
}

nb::object legal_actions(const BoundState& s) {
  ActionList list;
  s.state.choices(list);
  nb::object out = nb::steal(PyList_New(list.size()));
  for (int i = 0; i < list.size(); ++i)
    PyList_SET_ITEM(out.ptr(), i, PyLong_FromLong(list[static_cast<std::size_t>(i)]));
  return out;
}

template <class T>
nb::object array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}

nb::object legal_mask(const BoundState& s) {
  const bool chance = s.state.to_move() == CHANCE;
  ActionList list;
  s.state.choices(list);
  const Facts& facts = s.core->facts();
  const auto size = static_cast<std::size_t>(chance ? facts.outcomes : facts.actions);
  std::vector<std::uint8_t> mask(size);
  for (const Action action : list) {
    if (action < 0 || static_cast<std::size_t>(action) >= size)
      throw std::invalid_argument(name_of(s) + " lists an action " + std::to_string(action) +
                                  " that it does not have.");
    mask[static_cast<std::size_t>(action)] = 1;
  }
  return array(std::move(mask), {size});
}

std::vector<double> player_values(const BoundState& s, const Values& values) {
  return {values.begin(), values.begin() + s.core->facts().players};
}

std::vector<double> returns(const BoundState& s) {
  Values values{};
  s.state.returns(values);
  return player_values(s, values);
}

std::vector<double> heuristic(const BoundState& s) {
  need(s, s.state.table().heuristic != nullptr, "heuristic");
  Values values{};
  s.state.heuristic(values);
  return player_values(s, values);
}

nb::dict terms(const BoundState& s, std::int64_t player) {
  need(s, s.state.table().terms != nullptr, "terms");
  Terms values;
  s.state.terms(check_viewer(s, player), values);
  const std::vector<std::string> names = s.state.term_names();
  nb::dict out;
  for (std::size_t i = 0; i < names.size(); ++i) out[names[i].c_str()] = values[i];
  return out;
}

std::vector<std::pair<Action, double>> chance(const BoundState& s) {
  std::vector<std::pair<Action, double>> out;
  if (s.state.to_move() != CHANCE) return out;
  OutcomeList outcomes;
  s.state.chance(outcomes);
  for (const auto& [action, probability] : outcomes) out.emplace_back(action, probability);
  return out;
}

BoundObservation observe(const BoundState& s, std::optional<std::int64_t> viewer) {
  need(s, s.state.table().observe != nullptr, "observe");
  const int eyes = check_viewer(s, viewer ? *viewer : std::max(s.state.to_move(), 0));
  const Facts& facts = s.core->facts();
  std::vector<float> planes(static_cast<std::size_t>(facts.planes.size()));
  std::vector<float> features(static_cast<std::size_t>(facts.features));
  Observation out(facts.planes, planes.data(), features.data());
  s.state.observe(eyes, out);
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {array(std::move(planes), {size(facts.planes.channels), size(facts.planes.height), size(facts.planes.width)}),
          array(std::move(features), {size(facts.features)})};
}

BoundState redeal(const BoundState& s, std::int64_t viewer, std::uint64_t seed) {
  need(s, s.state.table().redeal != nullptr, "redeal");
  const int eyes = check_viewer(s, viewer);
  BoundState out = s;
  Rng rng(seed);
  out.state.redeal(eyes, rng);
  out.history.clear();
  out.start.reset();
  out.replayable = false;
  return out;
}

// A world that differs a little, and which players have another hand in it.
std::pair<BoundState, std::uint32_t> stir(const BoundState& s, int viewer, std::uint64_t seed) {
  need(s, s.state.table().stir != nullptr, "stir");
  if (viewer < 0 || viewer >= s.core->facts().players)
    throw std::invalid_argument("stir() needs a player for its viewer, not " + std::to_string(viewer) + ".");
  std::pair<BoundState, std::uint32_t> out{s, 0};
  Rng rng(seed);
  out.second = out.first.state.stir(viewer, rng);
  out.first.history.clear();
  out.first.start.reset();
  out.first.replayable = false;
  return out;
}

// The first decision of this world, and the actions that led from there to here.
std::pair<BoundState, std::vector<Action>> rewind(const BoundState& s) {
  need(s, s.state.table().rewind != nullptr, "rewind");
  std::pair<BoundState, std::vector<Action>> out{s, {}};
  ActionList past;
  out.first.state.rewind(past);
  out.second.assign(past.begin(), past.end());
  out.first.history.clear();
  out.first.start.reset();
  out.first.replayable = false;
  return out;
}

std::vector<double> odds(const BoundState& s) {
  need(s, s.state.table().odds != nullptr, "odds");
  if (s.state.to_move() < 0) return {};
  Odds list;
  s.state.odds(list);
  double total = 0;
  for (const double weight : list) total += weight;
  std::vector<double> out;
  for (const double weight : list) out.push_back(weight / total);
  return out;
}

int check_symmetry(const BoundState& s, std::int64_t symmetry) {
  const int count = s.state.symmetries();
  if (symmetry < 0 || symmetry >= count)
    throw std::invalid_argument("symmetry must be from 0 to " + std::to_string(count - 1) + ", not " +
                                std::to_string(symmetry) + ".");
  return static_cast<int>(symmetry);
}

BoundState symmetric(const BoundState& s, std::int64_t number) {
  const int symmetry = check_symmetry(s, number);
  BoundState out = s;
  if (symmetry == 0) return out;
  out.state.make_symmetric(symmetry);
  out.history.clear();
  out.start.reset();
  out.replayable = false;
  return out;
}

Action symmetric_action(const BoundState& s, std::int64_t number, nb::handle value) {
  const int symmetry = check_symmetry(s, number);
  const Action action = read_action(value);
  if (action < 0 || action >= s.core->facts().actions)
    throw std::invalid_argument("action " + std::to_string(action) + " is not an action of " + name_of(s) + ".");
  return symmetry == 0 ? action : s.state.symmetric_action(symmetry, action);
}

std::string action_text(const BoundState& s, nb::handle value) {
  const Action action = read_action(value);
  ActionList list;
  s.state.choices(list);
  require_legal(s, action, list);
  return s.state.action_text(action);
}

std::string plain(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  std::string out = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// What a person typed, as a legal action: the game's own reading first, then the action whose text it is
// (capitals do not matter unless they tell two actions apart).
Action parse_action(const BoundState& s, nb::handle typed) {
  if (!PyUnicode_Check(typed.ptr()))
    throw std::invalid_argument("parse_action reads a text, not " + brief(repr_of(typed)) + ".");
  const std::string text = utf8_of(typed);
  ActionList list;
  s.state.choices(list);
  if (list.empty()) throw std::invalid_argument("this game of " + name_of(s) + " is over: no action can be played.");
  const std::string wanted = plain(text);
  if (s.state.table().parse_action != nullptr && s.state.to_move() != CHANCE) {
    for (const std::string& spelling : {text, wanted}) {
      const Action action = s.state.table().parse_action(s.state.data(), spelling);
      if (action != kNoAction && has(list, action)) return action;
    }
  }
  Action loose = kNoAction;
  int matches = 0;
  for (const Action action : list) {
    const std::string word = s.state.action_text(action);
    if (word == text) return action;
    if (plain(word) == wanted) loose = action, ++matches;
  }
  if (matches == 1) return loose;
  throw std::invalid_argument(quote(text) + (matches > 1 ? " could mean several actions" : " is not a legal action") +
                              " here in " + name_of(s) + "; legal are " + some_actions(s.state, list) + ".");
}

// Mean returns of random games from here.
std::vector<double> playouts(const BoundState& s, std::int64_t games, std::uint64_t seed) {
  if (games < 1) throw std::invalid_argument("games must be 1 or more, not " + std::to_string(games) + ".");
  if (games > kMostPlayouts)
    throw std::invalid_argument("games must be at most " + std::to_string(kMostPlayouts) + ", not " +
                                std::to_string(games) + ".");
  Values total{};
  {
    const State start = s.state; // before the release: another thread may play on the bound one
    State state = start;
    nb::gil_scoped_release release;
    Rng rng(seed);
    auto looked = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < games; ++i) {
      if ((i & 15) == 15 && std::chrono::steady_clock::now() - looked > std::chrono::milliseconds(100)) {
        nb::gil_scoped_acquire acquire; // Ctrl-C stops a long row
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        looked = std::chrono::steady_clock::now();
      }
      state = start;
      if (state.play_out(rng) < 0)
        throw std::invalid_argument(name_of(s) + ": a random game did not end within " + std::to_string(kMaxPlies) +
                                    " plies, or had no legal action.");
      Values values{};
      state.returns(values);
      for (std::size_t p = 0; p < values.size(); ++p) total[p] += values[p];
    }
  }
  for (auto& value : total) value /= static_cast<double>(games);
  return player_values(s, total);
}

// The moves from the initial position, as a person types them; all as #number where one of them has no plain word.
std::string moves_text(const BoundState& s) {
  if (!s.replayable || s.start)
    throw std::invalid_argument(name_of(s) +
                                " writes a position as its moves, and no moves from the start lead to this one.");
  std::string words, numbers;
  bool plain_words = true;
  State walk = s.core->initial();
  for (const Action action : s.history) {
    const std::string word = walk.action_text(action);
    ActionList list;
    walk.choices(list);
    int same = 0;
    for (const Action other : list) same += plain(walk.action_text(other)) == plain(word);
    plain_words &= same == 1 && !word.empty() && word[0] != '#' && word.find_first_of(" \t\r\n,;") == std::string::npos;
    words += " " + word;
    numbers += " #" + std::to_string(action);
    walk.play(action);
  }
  return "moves:" + (plain_words ? words : numbers);
}

std::string to_text(const BoundState& s) {
  return s.state.table().to_text != nullptr ? s.state.to_text() : moves_text(s);
}

nb::dict to_json(const BoundState& s) {
  nb::dict out;
  out["game"] = name_of(s);
  out["version"] = s.core->facts().version;
  out["options"] = s.game.attr("options");
  out["seed"] = s.seed;
  out["start"] = s.replayable ? nb::cast(s.start) : nb::cast(to_text(s));
  out["history"] = s.replayable ? s.history : std::vector<Action>();
  out["to_move"] = s.state.to_move();
  out["legal_actions"] = legal_actions(s);
  out["returns"] = returns(s);
  if (s.state.table().json != nullptr) out.update(nb::module_::import_("json").attr("loads")(nb::cast(s.state.json())));
  return out;
}

nb::object rules_object(const BoundState& s) {
  if (!written_in_python(s)) return nb::none();
  return static_cast<const PythonRules*>(s.state.data())->object();
}

// A state holds its game; a game may hold its states. The garbage collector is told, so that it can free such a ring.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    nb::handle game = nb::inst_ptr<BoundState>(self)->game;
    Py_VISIT(game.ptr());
  }
  return 0;
}

int clear(PyObject* self) {
  nb::inst_ptr<BoundState>(self)->game.reset();
  return 0;
}

PyType_Slot kCollectible[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

} // namespace

std::string utf8_of(nb::handle text) {
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

std::string repr_of(nb::handle value) {
  nb::object text = nb::steal(PyObject_Repr(value.ptr()));
  if (text.is_valid()) return utf8_of(text);
  PyErr_Clear();
  return std::string("a ") + Py_TYPE(value.ptr())->tp_name;
}

Action read_action(nb::handle value) {
  nb::object number = nb::steal(PyIndex_Check(value.ptr()) ? PyNumber_Index(value.ptr()) : nullptr);
  if (!number.is_valid()) {
    PyErr_Clear();
    throw std::invalid_argument("an action is a whole number, not " + brief(repr_of(value)) +
                                "; parse_action turns a text into one.");
  }
  int overflow = 0;
  const long long action = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || action < 0 || action >= kMaxActions)
    throw std::invalid_argument("no game has an action " + brief(repr_of(number)) + ".");
  return static_cast<Action>(action);
}

void bind_state(nb::module_& m) {
  nb::class_<BoundObservation>(m, "Observation", "What one viewer sees: planes float32[C,H,W], features float32[F].")
      .def_ro("planes", &BoundObservation::planes, nb::sig("def planes(self) -> numpy.typing.NDArray[numpy.float32]"))
      .def_ro("features", &BoundObservation::features,
              nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float32]"));

  nb::class_<BoundState>(m, "State", "One position of a game.", nb::type_slots(kCollectible))
      .def_ro("game", &BoundState::game)
      .def_prop_ro(
          "to_move", [](const BoundState& s) { return s.state.to_move(); },
          "The player to move, or CHANCE, or TERMINAL.")
      .def_prop_ro("is_over", [](const BoundState& s) { return s.state.is_over(); })
      .def_ro("history", &BoundState::history, "The actions since new(), chance outcomes included.")
      .def_ro("seed", &BoundState::seed)
      .def_ro("start", &BoundState::start, "The text this position's history starts from; None: the initial position.")
      .def_ro("replayable", &BoundState::replayable,
              "Whether start and history lead here (not so for a redealt world).")
      .def_prop_ro("rules", &rules_object,
                   "The Python object of a game written in Python, else None; do not change it.")
      .def("legal_actions", &legal_actions, nb::sig("def legal_actions(self) -> list[int]"),
           "The mover's legal actions; at a chance node, the outcomes; none after the end.")
      .def("legal_mask", &legal_mask, nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.uint8]"),
           "1 for each legal action, 0 for the others.")
      .def("play", &play, "action"_a.none(), nb::sig("def play(self, action: int) -> None"),
           "Plays an action in place. ValueError if it is not legal; the state is then unchanged.")
      .def("play_chance", &play_chance, "Plays a chance outcome drawn from the state's seed, and returns it.")
      .def("copy", [](const BoundState& s) { return BoundState(s); })
      .def("__copy__", [](const BoundState& s) { return BoundState(s); })
      .def(
          "__deepcopy__", [](const BoundState& s, nb::handle) { return BoundState(s); }, "memo"_a)
      .def("__str__", [](const BoundState& s) { return s.state.draw(); })
      .def("__repr__",
           [](const BoundState& s) {
             return "<State of " + name_of(s) + " at ply " + std::to_string(s.history.size()) + ">";
           })
      .def(
          "view", [](const BoundState& s, std::int64_t viewer) { return s.state.view(check_viewer(s, viewer)); },
          "viewer"_a, "The position as text for one player's eyes.")
      .def("action_text", &action_text, "action"_a.none(), nb::sig("def action_text(self, action: int) -> str"),
           "What a person types for a legal action.")
      .def("parse_action", &parse_action, "text"_a.none(), nb::sig("def parse_action(self, text: str) -> int"),
           "The legal action a person means. ValueError if there is none.")
      .def("returns", &returns, "What each player has got so far.")
      .def("chance", &chance, "The outcomes with their probabilities; empty if it is not chance's turn.")
      .def_prop_ro(
          "chance_for",
          [](const BoundState& s) -> std::optional<int> {
            const int player = s.state.to_move() == CHANCE ? s.state.chance_for() : -1;
            return player < 0 ? std::nullopt : std::optional<int>(player);
          },
          "At a chance node: the player whose draw or dice it is; None for nobody's in particular.")
      .def_prop_ro(
          "typical",
          [](const BoundState& s) -> std::optional<Action> {
            const Action outcome = s.state.to_move() == CHANCE ? s.state.typical() : kNoAction;
            return outcome == kNoAction ? std::nullopt : std::optional<Action>(outcome);
          },
          "At a chance node: the outcome that may stand for all of them; None where there is none.")
      .def("observe", &observe, "viewer"_a = nb::none(), "What `viewer` (by default the mover) sees.")
      .def("redeal", &redeal, "viewer"_a, "seed"_a, "Another world that `viewer` cannot tell from this one.")
      .def("stir", &stir, "viewer"_a, "seed"_a,
           "A world a little different that `viewer` cannot tell from this one; a bit for each player with another "
           "hand.")
      .def("rewind", &rewind, "This world at its first decision, and the actions that lead from there to here.")
      .def("odds", &odds, "The share of each legal action, in their order, in the game's own quick policy.")
      .def(
          "known",
          [](const BoundState& s, std::int64_t viewer) {
            need(s, s.state.table().known != nullptr, "known");
            return s.state.known(check_viewer(s, viewer));
          },
          "viewer"_a, "A number that is the same in all positions which `viewer` cannot tell apart.")
      .def("heuristic", &heuristic, "A guess at the returns, per player.")
      .def("terms", &terms, "player"_a, nb::sig("def terms(self, player: int) -> dict[str, float]"),
           "The numbers that a linear evaluation weighs for a player, by name.")
      .def_prop_ro(
          "symmetries", [](const BoundState& s) { return s.state.symmetries(); },
          "How many symmetries there are, the identity (0) included.")
      .def("symmetric", &symmetric, "symmetry"_a, "The position seen through a symmetry.")
      .def("symmetric_action", &symmetric_action, "symmetry"_a, "action"_a.none(),
           nb::sig("def symmetric_action(self, symmetry: int, action: int) -> int"))
      .def(
          "order",
          [](const BoundState& s, std::optional<Action> previous) {
            need(s, s.state.table().order != nullptr, "order");
            ActionList list;
            s.state.choices(list);
            if (s.state.to_move() >= 0) s.state.order(previous.value_or(kNoAction), list);
            return std::vector<Action>(list.begin(), list.end());
          },
          "previous"_a = nb::none(), "The legal actions, best first, by the game's own opinion.")
      .def(
          "independent",
          [](const BoundState& s, nb::handle action) {
            need(s, s.state.table().independent != nullptr, "independent");
            return s.state.independent(read_action(action));
          },
          "action"_a, nb::sig("def independent(self, action: int) -> bool"))
      .def(
          "commutes",
          [](const BoundState& s, nb::handle action, nb::handle other) {
            need(s, s.state.table().commutes != nullptr, "commutes");
            return s.state.commutes(read_action(action), read_action(other));
          },
          "action"_a, "other"_a, nb::sig("def commutes(self, action: int, other: int) -> bool"),
          "Whether an independent action right after another leads to the same as right before it.")
      .def(
          "quiet",
          [](const BoundState& s) {
            need(s, s.state.table().quiet != nullptr, "quiet");
            return s.state.quiet();
          },
          "Whether nothing is half done, so that an evaluation may compare this position with others.")
      .def(
          "canonical", [](const BoundState& s) { return s.state.canonical(); },
          "The hash that searches know positions by: equal also where only an order differs that does not matter.")
      .def(
          "handicap",
          [](const BoundState& s) {
            need(s, s.state.table().handicap != nullptr, "handicap");
            BoundState out = s;
            out.state.handicap();
            out.replayable = false;
            return out;
          },
          "The position after the mover gave up a part of its resource.")
      .def(
          "hash", [](const BoundState& s) { return s.state.hash(); }, "64 bits; equal positions hash equal.")
      .def("playouts", &playouts, "games"_a = 1, "seed"_a = 0, "Mean returns of random games from here.")
      .def("to_text", &to_text,
           "A short text that game.parse reads: the position in the game's own form, or its moves.")
      .def("to_json", &to_json, nb::sig("def to_json(self) -> dict[str, typing.Any]"),
           "Everything about the position, for programs; game.parse reads its JSON.");

  nb::class_<Watch>(m, "Watch", "Stops and watches a long computation from another thread.")
      .def(nb::init<>())
      .def("stop", [](Watch& watch) { watch.stop = true; })
      .def_prop_ro("done", [](const Watch& watch) { return watch.done.load(); });

  m.def(
      "perft",
      [](const BoundState& s, int depth, bool distinct, Watch& watch) {
        std::vector<PerftPly> plies;
        {
          const State state = s.state;
          nb::gil_scoped_release release;
          plies = perft(state, depth, distinct, watch);
        }
        std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
        for (const auto& [count, ended] : plies) out.emplace_back(count, ended);
        return out;
      },
      "state"_a, "depth"_a, "distinct"_a, "watch"_a, "Per ply 0..depth: how many, and how many of them have ended.");
}

} // namespace sevenfold::bind
