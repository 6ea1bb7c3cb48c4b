// A game's options: declared once in its rules, with default, range and help. Everything else that shows
// or takes options (Python, the command line, the docs, the page's form) is made from this declaration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sevenfold {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct Option {
  enum class Kind { integer, real, flag, choice, cell, text };

  std::string name;
  Kind kind = Kind::text;
  OptionValue initial;              // the default
  double low = 0, high = 0;         // integer and real: the range, both ends included
  std::vector<std::string> choices; // choice: the allowed words
  std::string help;

  static Option integer(std::string name, std::int64_t initial, std::int64_t low, std::int64_t high, std::string help);
  static Option real(std::string name, double initial, double low, double high, std::string help);
  static Option flag(std::string name, bool initial, std::string help);
  static Option choice(std::string name, std::string initial, std::vector<std::string> choices, std::string help);
  static Option cell(std::string name, std::string help); // "row,col", or "none", the default
  static Option text(std::string name, std::string initial, std::string help);
};

using OptionList = std::vector<Option>;
using OptionPairs = std::vector<std::pair<std::string, OptionValue>>;

// The value of every declared option, in the order of declaration.
class Options {
 public:
  Options() = default;
  explicit Options(OptionPairs values) : values_(std::move(values)) {}

  std::int64_t integer(std::string_view name) const { return std::get<std::int64_t>(get(name)); }
  double real(std::string_view name) const { return std::get<double>(get(name)); }
  bool flag(std::string_view name) const { return std::get<bool>(get(name)); }
  const std::string& text(std::string_view name) const { return std::get<std::string>(get(name)); }

  const OptionPairs& values() const { return values_; }

 private:
  const OptionValue& get(std::string_view name) const;
  OptionPairs values_;
};

// Fills in the defaults and checks what was given (text is read as the declared kind, so that "rows=9"
// from a command line works). Throws std::invalid_argument with one sentence that names the option.
Options check_options(std::string_view game, const OptionList& declared, const OptionPairs& given);

} // namespace sevenfold
