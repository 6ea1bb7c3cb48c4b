// Positions as text: for people (a drawing) and for programs (words like board=3ef,3c7 queue=TIOLJS hold=Z).
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>

#include "tetris/side.h"

namespace sevenfold::tetris {

inline std::string pieces_text(std::uint8_t bag) {
  std::string out;
  for (int piece = 0; piece < kPieces; ++piece)
    if ((bag >> piece & 1) != 0) out += kLetters[at(piece)];
  return out;
}

// A side's drawing, line by line.
inline std::vector<std::string> drawn(const Setup& s, const Side& side) {
  std::vector<std::string> out;
  for (int y = std::max(s.height, side.board.height()) - 1; y >= 0; --y) {
    std::string line = y < s.height ? "|" : ":";
    for (int x = 0; x < kCols; ++x) line += side.board.filled(x, y) ? (side.dug >> y & 1) != 0 ? '%' : '#' : '.';
    out.push_back(line + (y < s.height ? "|" : ":"));
  }
  out.push_back("+----------+");
  std::string next;
  for (std::size_t i = 0; i < side.queued; ++i) next += kLetters[at(side.queue[i])];
  out.push_back("queue " + (next.empty() ? "-" : next) + ", hold " +
                (side.hold == kNoPiece ? std::string("-") : std::string(1, kLetters[at(side.hold)])) +
                (s.uniform ? "" : ", bag " + pieces_text(side.bag)));
  out.push_back("piece " + std::to_string(side.pieces) + " of " + std::to_string(s.pieces) + ", attack " +
                std::to_string(side.attack) + ", lines " + std::to_string(side.lines) + ", combo " +
                std::to_string(side.combo) + ", b2b " + std::to_string(side.b2b));
  if (s.has_garbage()) {
    std::string line = "garbage";
    for (std::size_t i = 0; i < side.waiting; ++i)
      line.append(" ").append(std::to_string(side.packets[i].lines)).append(side.packets[i].age >= s.delay ? "!" : "");
    if (side.waiting == 0) line += " -";
    if (side.rise > 0) line += ", " + std::to_string(side.rise) + " to rise";
    out.push_back(line);
  }
  switch (side.end) {
    case End::none: break;
    case End::block_out: out.push_back("over: the next piece has no room"); break;
    case End::lock_out: out.push_back("over: a piece locked above the top"); break;
    case End::top_out: out.push_back("over: the stack left the board"); break;
    case End::done: out.push_back("over: all pieces are placed"); break;
  }
  return out;
}

// --- The text form: words key=value, those left out being as in an empty position.
// ------------------------------------

inline std::string rows_text(const Board& board) {
  std::string out;
  for (int y = 0; y < board.height(); ++y) {
    if (y > 0) out += ',';
    char digits[8];
    const auto end = std::to_chars(digits, digits + 8, board.row(y), 16).ptr;
    out.append(digits, end);
  }
  return out;
}

inline std::string written(const Side& side) {
  std::string out;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!out.empty()) out += ' ';
    out += std::string(key) + "=" + value;
  };
  const auto number = [&](std::string_view key, std::int64_t value, std::int64_t usual) {
    if (value != usual) add(key, std::to_string(value));
  };
  std::string next;
  for (std::size_t i = 0; i < side.queued; ++i) next += kLetters[at(side.queue[i])];
  if (!side.board.empty()) add("board", rows_text(side.board));
  add("queue", next);
  if (side.hold != kNoPiece) add("hold", std::string(1, kLetters[at(side.hold)]));
  if (side.bag != kFullBag) add("bag", pieces_text(side.bag));
  number("combo", side.combo, 0);
  number("b2b", side.b2b, -1);
  if (side.waiting > 0) {
    std::string packets;
    for (std::size_t i = 0; i < side.waiting; ++i) {
      const Packet& p = side.packets[i];
      if (i > 0) packets += ',';
      packets += std::to_string(p.lines) + ":" + std::to_string(p.age);
      if (p.begun) packets += '*';
    }
    add("garbage", packets);
  }
  number("rise", side.rise, 0);
  number("hole", side.hole, -1);
  if (side.dug != 0) {
    char digits[20];
    add("dug", std::string(digits, std::to_chars(digits, digits + 20, side.dug, 16).ptr));
  }
  number("attack", side.attack, 0);
  number("sent", side.sent, 0);
  number("lines", side.lines, 0);
  number("pieces", side.pieces, 0);
  number("score", side.score, 0);
  number("over", static_cast<int>(side.end), 0);
  return out;
}

class Reader {
 public:
  explicit Reader(const Setup& s) : s_(s) {}

  Side read(std::string_view text) const {
    Side side;
    std::string seen = " ";
    while (!text.empty()) {
      const auto space = text.find(' ');
      const std::string_view word = text.substr(0, space);
      text = space == std::string_view::npos ? std::string_view{} : text.substr(space + 1);
      if (word.empty()) continue;
      const auto equals = word.find('=');
      if (equals == std::string_view::npos) fail("write key=value, not " + std::string(word.substr(0, 40)));
      const std::string key(word.substr(0, equals));
      if (seen.find(" " + key + " ") != std::string::npos) fail(key + " is given twice");
      seen += key + " ";
      set(side, key, word.substr(equals + 1));
    }
    check(side);
    if (!side.needs_chance(s_)) side.arrive(s_);
    if (side.end == End::none && side.pieces >= s_.pieces && !s_.versus) side.end = End::done;
    return side;
  }

  [[noreturn]] static void fail(const std::string& what) {
    throw std::invalid_argument("this is no position of Tetris: " + what + ".");
  }

 private:
  static int piece_of(char letter) {
    const auto i = kLetters.find(letter);
    if (i == std::string_view::npos) fail(std::string("there is no piece ") + letter);
    return static_cast<int>(i);
  }
  static std::int64_t number(const std::string& key, std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
      fail(key + " must be a number from " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
           std::string(text.substr(0, 40)));
    return value;
  }
  static std::uint64_t hex(const std::string& key, std::string_view text, std::uint64_t high) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc{} || end != text.data() + text.size() || value > high)
      fail(key + " must be hexadecimal, not " + std::string(text.substr(0, 40)));
    return value;
  }
  template <class F>
  static void split(std::string_view text, F f) {
    while (true) {
      const auto comma = text.find(',');
      f(text.substr(0, comma));
      if (comma == std::string_view::npos) return;
      text = text.substr(comma + 1);
    }
  }

  void set(Side& side, const std::string& key, std::string_view value) const {
    constexpr std::int64_t many = 2'000'000'000;
    if (key == "board") {
      int y = 0;
      if (!value.empty())
        split(value, [&](std::string_view row) {
          if (y == s_.rows) fail("the board has " + std::to_string(s_.rows) + " rows in this game");
          const auto cells = static_cast<unsigned>(hex("a row", row, 0x3ff));
          if (cells == 0x3ff) fail("row " + std::to_string(y) + " is full and would have been cleared");
          side.board.set_row(y++, cells);
        });
    } else if (key == "queue") {
      if (value.size() > kMostQueue) fail("a queue has at most " + std::to_string(kMostQueue) + " pieces");
      for (const char letter : value) side.queue[side.queued++] = static_cast<std::int8_t>(piece_of(letter));
    } else if (key == "hold") {
      if (value.size() != 1) fail("hold is one piece");
      if (!s_.hold) fail("this game has no hold");
      side.hold = static_cast<std::int8_t>(piece_of(value[0]));
    } else if (key == "bag") {
      if (s_.uniform) fail("a uniform randomizer has no bag");
      side.bag = 0;
      for (const char letter : value) {
        const auto one = static_cast<std::uint8_t>(1u << piece_of(letter));
        if ((side.bag & one) != 0) fail(std::string("the bag has ") + letter + " twice");
        side.bag = static_cast<std::uint8_t>(side.bag | one);
      }
      if (side.bag == 0) fail("a bag that is used up is written full: IOTLJSZ");
    } else if (key == "garbage") {
      split(value, [&](std::string_view packet) {
        if (side.waiting == kMostPackets) fail("at most " + std::to_string(kMostPackets) + " packets of garbage wait");
        Packet p;
        if (packet.ends_with('*')) {
          p.begun = true;
          packet.remove_suffix(1);
        }
        const auto colon = packet.find(':');
        p.lines = static_cast<std::uint8_t>(number("garbage", packet.substr(0, colon), 1, 255));
        if (colon != std::string_view::npos)
          p.age = static_cast<std::uint8_t>(number("an age", packet.substr(colon + 1), 0, 255));
        side.packets[side.waiting++] = p;
      });
      if (!s_.has_garbage()) fail("this game has no garbage");
    } else if (key == "dug") {
      side.dug = hex("dug", value, below(kRows));
    } else if (key == "combo") {
      side.combo = static_cast<std::int16_t>(number(key, value, 0, kMostPieces));
    } else if (key == "b2b") {
      side.b2b = static_cast<std::int16_t>(number(key, value, -1, kMostPieces));
    } else if (key == "rise") {
      side.rise = static_cast<std::uint8_t>(number(key, value, 0, 20));
    } else if (key == "hole") {
      side.hole = static_cast<std::int8_t>(number(key, value, -1, kCols - 1));
    } else if (key == "attack") {
      side.attack = static_cast<std::int32_t>(number(key, value, 0, many));
    } else if (key == "sent") {
      side.sent = static_cast<std::int32_t>(number(key, value, 0, many));
    } else if (key == "lines") {
      side.lines = static_cast<std::int32_t>(number(key, value, 0, many));
    } else if (key == "pieces") {
      side.pieces = static_cast<std::int32_t>(number(key, value, 0, s_.pieces));
    } else if (key == "score") {
      side.score = static_cast<std::int32_t>(number(key, value, 0, many));
    } else if (key == "over") {
      side.end = static_cast<End>(number(key, value, 0, static_cast<int>(End::done)));
    } else {
      fail("it has no word " + key.substr(0, 40));
    }
  }

  void check(Side& side) const {
    if (side.rise > side.incoming()) fail("more garbage rises than waits");
    if (s_.uniform || side.bag == kFullBag) return;
    // What was drawn from this bag is at the end of the queue, and not in the bag.
    unsigned drawn = 0;
    const int known = std::min<int>(side.queued, kPieces - std::popcount(side.bag));
    for (int i = side.queued - known; i < side.queued; ++i) {
      const unsigned one = 1u << side.queue[at(i)];
      if (((drawn | side.bag) & one) != 0)
        fail(std::string("the bag and the queue contradict each other over ") + kLetters[at(side.queue[at(i)])]);
      drawn |= one;
    }
  }

  const Setup& s_;
};

} // namespace sevenfold::tetris
