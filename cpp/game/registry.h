// Game: one game with its options fixed. Registry: every game of the house, found by name.
// The rooms enter themselves: the build writes one small source file per `games/*/rules.h` that calls the
// room's `enter(Registry&)`, so adding a game edits no list.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "game/state.h"

namespace sevenfold {

// The names of the abilities in a table, in the order of rules.h.
std::vector<std::string> abilities_of(const Table& table);

class Game {
 public:
  Game(Facts facts, Options options, State initial, std::shared_ptr<const void> setup)
      : name_(facts.name), facts_(facts), options_(std::move(options)), setup_(std::move(setup)), initial_(initial) {
    facts_.name = name_;
    check_facts();
  }
  Game(const Game&) = delete; // states point into setup_
  Game& operator=(const Game&) = delete;

  const Facts& facts() const { return facts_; }
  const Options& options() const { return options_; }
  const State& initial() const { return initial_; }
  std::vector<std::string> abilities() const { return abilities_of(initial_.table()); }

 private:
  void check_facts() const;

  std::string name_;
  Facts facts_;
  Options options_;
  std::shared_ptr<const void> setup_; // outlives every state, which points to it
  State initial_;
};

template <class R>
concept HasOptions = requires {
  { R::options() } -> std::convertible_to<OptionList>;
  typename R::Setup;
};

class Registry {
 public:
  struct Entry {
    std::string name;
    OptionList options;
    std::unique_ptr<Game> (*make)(const Options&);
  };

  // Enters a game. Several structs are one game whose options choose the struct: the first that fits is taken.
  template <Rules First, Rules... Others>
  void add() {
    static_assert(((First::facts.name == Others::facts.name) && ...), "one game, one name");
    OptionList options;
    if constexpr (HasOptions<First>) options = First::options();
    entries_.push_back({std::string(First::facts.name), std::move(options), &make_first<First, Others...>});
  }

  const std::vector<Entry>& entries() const { return entries_; }
  std::unique_ptr<Game> make(std::string_view name, const OptionPairs& given) const;

  static const Registry& house(); // the games of the rooms

 private:
  template <class R, class... Others>
  static std::unique_ptr<Game> make_first(const Options& options) {
    if constexpr (sizeof...(Others) > 0) {
      if (!R::fits(options)) return make_first<Others...>(options);
    }
    if constexpr (HasOptions<R>) {
      auto setup = std::make_shared<const typename R::Setup>(options);
      Facts facts = R::facts;
      if constexpr (requires { R::facts_for(*setup); }) facts = R::facts_for(*setup);
      return std::make_unique<Game>(facts, options, State::holding(R(*setup), kTable<R>), setup);
    } else {
      return std::make_unique<Game>(R::facts, options, State::holding(R(), kTable<R>), nullptr);
    }
  }

  std::vector<Entry> entries_;
};

} // namespace sevenfold
