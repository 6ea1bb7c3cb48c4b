// A stranger's text in an error sentence: on one line, cut short, and still valid UTF-8.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace sevenfold {

inline std::string brief(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  bool cut = false;
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end; // not inside a character
    text = text.substr(0, end);
    cut = true;
  }
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      out += c;
      continue;
    }
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
    out += escaped;
  }
  return cut ? out + "…" : out;
}

inline std::string quote(std::string_view text) {
  std::string out = "'";
  out += brief(text);
  out += '\'';
  return out;
}

} // namespace sevenfold
