// What the binding's source files share.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/registry.h"

namespace nb = nanobind;

namespace sevenfold::bind {

void bind_game(nb::module_& m);
void bind_state(nb::module_& m);
void bind_evaluation(nb::module_& m);
void bind_search(nb::module_& m);
void bind_belief(nb::module_& m);
void bind_alphabeta(nb::module_& m);
void bind_selfplay(nb::module_& m);
void bind_lockstep(nb::module_& m);
void bind_rows_net(nb::module_& m);
void bind_rooms(nb::module_& m); // written by the build

// A State as Python sees it: the core's value, the game it belongs to, and how it came about.
struct BoundState {
  nb::object game; // the Python Game; the garbage collector may take it before the state
  std::shared_ptr<const Game> core;
  State state;
  std::vector<Action> history{};      // since `start`
  std::optional<std::string> start{}; // the text it was parsed from; none: the initial position
  std::uint64_t seed = 0;             // where play_chance draws from
  bool playing = false;               // inside a Python play(), which must not play on the same state again
  bool replayable = true;             // false for redealt and mirrored worlds: no history leads to them
};

// A search that several Python threads share: one of them may use it at a time, the others are told.
class OneAtATime {
 public:
  class Turn {
   public:
    explicit Turn(std::atomic_flag& taken) : taken_(taken) {
      if (taken_.test_and_set()) throw std::invalid_argument("this search is running already.");
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { taken_.clear(); }

   private:
    std::atomic_flag& taken_;
  };
  Turn take() { return Turn(taken_); }

 private:
  std::atomic_flag taken_{};
};

// Any Python text, and the repr of any Python object, as UTF-8: what has no UTF-8 is escaped, what fails is named.
std::string utf8_of(nb::handle text);
std::string repr_of(nb::handle value);

// The whole number in a Python object, as an action; a ValueError names anything else.
Action read_action(nb::handle value);

} // namespace sevenfold::bind
