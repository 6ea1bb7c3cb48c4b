// Rules written in Python, as one more rules struct: every method calls the method of the same name of a Python
// object and checks what comes back, so that a mistake in a user's game is one clear ValueError and never a crash.
// This is the only place where the core's searches reach Python, and only for games written in it; each call
// takes the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "game/registry.h"

namespace nb = nanobind;

namespace sevenfold::bind {

// What the Python class says about itself; shared by all states of one game.
struct PythonClass {
  std::string name;
  Facts facts;
  bool copies = false; // the class has a copy() of its own
  bool plain = false;  // its objects are their __dict__ and nothing else, so that copying that is enough
  nb::object observe;  // (rules, viewer) -> contiguous float32 planes and features of the declared shapes
  nb::object clone;    // copy.deepcopy, for values that the core does not know
  nb::object hash, draw, action_text;  // defaults for methods the class lacks; none where it has them
  nb::object random;                   // random.Random
  std::vector<std::string> term_names; // of terms(), where the class has it
  Table table{};
};

class PythonRules {
 public:
  static constexpr Facts facts{.name = "python", .actions = 1};
  static constexpr std::array<std::string_view, 0> term_names{}; // a class's own are in PythonClass

  PythonRules(nb::handle object, const PythonClass* about);
  PythonRules(const PythonRules& other);
  PythonRules& operator=(const PythonRules& other);
  ~PythonRules();

  int to_move() const;
  void legal_actions(ActionList& out) const;
  void play(Action action);
  void returns(Values& out) const;
  std::uint64_t hash() const;
  std::string draw() const;
  std::string action_text(Action action) const;

  void chance(OutcomeList& out) const;
  int chance_for() const;
  Action typical() const;
  void observe(int viewer, Observation& out) const;
  void redeal(int viewer, Rng& rng);
  std::string view(int viewer) const;
  void rewind(ActionList& out);
  void odds(Odds& out) const;
  void heuristic(Values& out) const;
  void terms(int player, Terms& out) const;
  void handicap();
  void order(Action previous, ActionList& list) const;
  bool independent(Action action) const;
  bool commutes(Action action, Action other) const;
  bool quiet() const;
  std::uint64_t canonical() const;
  int symmetries() const;
  PythonRules symmetric(int symmetry) const;
  Action symmetric_action(int symmetry, Action action) const;
  std::string to_text() const;
  void parse(std::string_view text);
  Action parse_action(std::string_view text) const;

  nb::object object() const { return nb::borrow(object_); }
  const PythonClass& about() const { return *about_; }

 private:
  nb::object call(const char* method) const;
  nb::object call_or(const nb::object& standby, const char* method) const;
  nb::object call(const char* method, nb::object argument) const;
  nb::object call(const char* method, nb::object first, nb::object second) const;
  [[noreturn]] void nonsense(const char* method, nb::handle answer, const std::string& wanted) const;
  void read_values(const char* method, nb::handle answer, Values& out) const;
  std::string read_text(const char* method, nb::handle answer) const;
  std::int64_t read_integer(const char* method, nb::handle answer) const;
  std::string where() const;
  bool read_truth(const char* method, nb::handle answer) const;
  std::uint64_t read_hash(const char* method, nb::handle answer) const;

  PyObject* object_; // owned
  const PythonClass* about_;
};

// A Game around a Python object in its initial position. `about` stays alive with the game.
std::unique_ptr<Game> make_python_game(nb::object initial, std::shared_ptr<PythonClass> about,
                                       const std::vector<std::string>& abilities, Options options);

} // namespace sevenfold::bind
