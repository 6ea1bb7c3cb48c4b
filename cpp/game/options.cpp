#include "game/options.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "core/text.h"

namespace sevenfold {
namespace {

std::string number_text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, x == std::floor(x) && std::abs(x) < 1e17 ? "%.0f" : "%.12g", x);
  return buffer;
}

std::string plain(const OptionValue& value) {
  if (auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (auto* number = std::get_if<double>(&value)) return number_text(*number);
  return std::get<std::string>(value);
}

std::string shown(const OptionValue& value) {
  return std::holds_alternative<std::string>(value) ? quote(std::get<std::string>(value)) : plain(value);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string wanted(const Option& option) {
  switch (option.kind) {
    case Option::Kind::integer:
      return "a whole number from " + number_text(option.low) + " to " + number_text(option.high);
    case Option::Kind::real: return "a number from " + number_text(option.low) + " to " + number_text(option.high);
    case Option::Kind::flag: return "true or false";
    case Option::Kind::choice: return "one of " + joined(option.choices);
    case Option::Kind::cell: return "'none' or a cell 'row,col'";
    case Option::Kind::text: break;
  }
  return "a text";
}

// Reads the text of a number; anything left over after it means it was not one.
bool read_number(const std::string& text, double& out) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(out);
}

// The number in a value, if there is one. A bool is not a number: rows=True is a mistake, not 1.
bool as_number(const OptionValue& value, double& out) {
  if (auto* number = std::get_if<std::int64_t>(&value)) return out = static_cast<double>(*number), true;
  if (auto* number = std::get_if<double>(&value)) return out = *number, std::isfinite(out);
  if (auto* text = std::get_if<std::string>(&value)) return read_number(*text, out);
  return false;
}

bool as_flag(const OptionValue& value, bool& out) {
  if (auto* flag = std::get_if<bool>(&value)) return out = *flag, true;
  if (auto* text = std::get_if<std::string>(&value)) {
    for (const char* yes : {"true", "yes", "on", "1"})
      if (*text == yes) return out = true, true;
    for (const char* no : {"false", "no", "off", "0"})
      if (*text == no) return out = false, true;
  }
  return false;
}

// A cell in one spelling, "2,3", whichever it was given in: "(2, 3)", "2, 3".
bool as_cell(const OptionValue& value, OptionValue& out) {
  auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return false;
  int row = 0, col = 0, end = 0;
  std::string plain_text;
  for (const char c : *text)
    if (c != ' ' && c != '(' && c != ')') plain_text += c;
  if (plain_text == "none") return out = plain_text, true;
  if (plain_text.size() > 16 || std::sscanf(plain_text.c_str(), "%d,%d%n", &row, &col, &end) != 2) return false;
  if (static_cast<std::size_t>(end) != plain_text.size()) return false;
  return out = std::to_string(row) + "," + std::to_string(col), true;
}

// The value in the declared kind and range; false where it does not fit.
bool convert(const Option& option, const OptionValue& given, OptionValue& out) {
  double number = 0;
  bool flag = false;
  switch (option.kind) {
    case Option::Kind::integer:
      if (!as_number(given, number) || number != std::floor(number) || number < option.low || number > option.high)
        return false;
      out = static_cast<std::int64_t>(number);
      return true;
    case Option::Kind::real:
      if (!as_number(given, number) || number < option.low || number > option.high) return false;
      out = number;
      return true;
    case Option::Kind::flag:
      if (!as_flag(given, flag)) return false;
      out = flag;
      return true;
    case Option::Kind::choice:
      for (const auto& word : option.choices)
        if (plain(given) == word) return out = word, true;
      return false;
    case Option::Kind::cell: return as_cell(given, out);
    case Option::Kind::text: break;
  }
  if (!std::holds_alternative<std::string>(given)) return false;
  out = given;
  return true;
}

} // namespace

Option Option::integer(std::string name, std::int64_t initial, std::int64_t low, std::int64_t high, std::string help) {
  return {std::move(name), Kind::integer, initial, static_cast<double>(low), static_cast<double>(high), {},
          std::move(help)};
}
Option Option::real(std::string name, double initial, double low, double high, std::string help) {
  return {std::move(name), Kind::real, initial, low, high, {}, std::move(help)};
}
Option Option::flag(std::string name, bool initial, std::string help) {
  return {std::move(name), Kind::flag, initial, 0, 1, {}, std::move(help)};
}
Option Option::choice(std::string name, std::string initial, std::vector<std::string> choices, std::string help) {
  return {std::move(name), Kind::choice, std::move(initial), 0, 0, std::move(choices), std::move(help)};
}
Option Option::cell(std::string name, std::string help) {
  return {std::move(name), Kind::cell, std::string("none"), 0, 0, {}, std::move(help)};
}
Option Option::text(std::string name, std::string initial, std::string help) {
  return {std::move(name), Kind::text, std::move(initial), 0, 0, {}, std::move(help)};
}

const OptionValue& Options::get(std::string_view name) const {
  for (const auto& [key, value] : values_)
    if (key == name) return value;
  throw std::logic_error("the rules read an option '" + std::string(name) + "' that they do not declare");
}

Options check_options(std::string_view game, const OptionList& declared, const OptionPairs& given) {
  OptionPairs values;
  std::vector<std::string> names;
  for (const auto& option : declared) {
    values.emplace_back(option.name, option.initial);
    names.push_back(option.name);
  }
  for (const auto& [name, value] : given) {
    std::size_t i = 0;
    while (i < declared.size() && declared[i].name != name) ++i;
    if (i == declared.size())
      throw std::invalid_argument(std::string(game) + " has no option " + quote(name) +
                                  "; its options are: " + (names.empty() ? "none" : joined(names)) + ".");
    if (!convert(declared[i], value, values[i].second))
      throw std::invalid_argument(std::string(game) + ": option " + name + " must be " + wanted(declared[i]) +
                                  ", not " + shown(value) + ".");
  }
  return Options(std::move(values));
}

} // namespace sevenfold
