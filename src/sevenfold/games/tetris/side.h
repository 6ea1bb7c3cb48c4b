// One player's side: board, queue, hold, bag, chains, and the garbage that waits.
//
// A placement happens in this order: the piece locks and full rows go; what the clear sends cancels waiting garbage,
// oldest first, and the rest is sent; garbage that has waited long enough rises, row by row (chance says where the hole
// is); the queue is filled (chance says with what); the next piece spawns.
#pragma once

#include "core/hash.h"
#include "core/types.h"
#include "tetris/setup.h"

namespace sevenfold::tetris {

constexpr std::uint8_t kFullBag = 0x7f;
constexpr int kMostQueue = 28;
constexpr int kMostPackets = 12;
constexpr int kHoleOutcome = kPieces; // outcomes: the pieces, then the columns of a hole
constexpr int kOutcomes = kPieces + kCols;

enum class End : std::uint8_t { none, block_out, lock_out, top_out, done };

struct Packet {
  std::uint8_t lines = 0, age = 0;
  bool begun = false; // some of its rows have risen
  bool operator==(const Packet&) const = default;
};

struct Placed {
  Clear clear{};
  Attack attack{};
  int sent = 0; // what was not needed to cancel
};

struct Side {
  Board board{};
  Column dug{}; // which rows are garbage
  std::array<std::int8_t, kMostQueue> queue{};
  std::array<Packet, kMostPackets> packets{};
  std::uint8_t queued = 0, waiting = 0;
  std::uint8_t bag = kFullBag; // what the next pieces are drawn from
  std::int8_t hold = kNoPiece;
  std::int8_t hole = -1; // column of the last hole
  std::uint8_t rise = 0; // rows that may still rise after this placement
  End end = End::none;
  bool sparing = false;   // pieces are drawn when they are needed, not when there is room for them in the queue
  std::int16_t combo = 0; // clears in a row
  std::int16_t b2b = -1;
  std::int32_t attack = 0, sent = 0, lines = 0, pieces = 0, score = 0;

  bool operator==(const Side&) const = default;

  int current() const { return queue[0]; }
  // The piece that comes if the current one is held; kNoPiece where that makes no difference or is not possible.
  int other(const Setup& s) const {
    if (!s.hold) return kNoPiece;
    if (hold == kNoPiece) return queued > 1 ? queue[1] : std::int8_t{kNoPiece};
    return hold == queue[0] ? std::int8_t{kNoPiece} : hold;
  }
  int incoming() const {
    int sum = 0;
    for (std::size_t i = 0; i < waiting; ++i) sum += packets[i].lines;
    return sum;
  }
  // Of it, what rises after the next placement if nothing is cancelled.
  int due(const Setup& s) const {
    int sum = 0;
    for (std::size_t i = 0; i < waiting && packets[i].age >= s.delay; ++i) sum += packets[i].lines;
    return std::min(sum, s.cap);
  }

  // Where a piece appears: the row of its centre; -1 where it is blocked.
  int spawn_row(const Setup& s, int piece) const {
    if (s.drops) return s.height;
    const int first = s.height - 1 + static_cast<int>(s.spawn);
    int last = s.spawn == Spawn::tbp ? first + 1 : first;
    if (s.spawn == Spawn::tetrio && combo > 0) last = kRows - 1;
    for (int y = first; y <= last; ++y)
      if (board.fits(piece, 0, 4, y)) return y;
    return -1;
  }
  void placements(const Setup& s, int piece, PlacementList& out) const {
    if (s.drops) return list_drops(board, piece, out);
    if (const int y = spawn_row(s, piece); y >= 0) list_placements(board, s.movement, piece, 4, y, out);
  }

  // --- What waits for chance -----------------------------------------------------------------------------------------
  bool needs_hole() const { return end == End::none && rise > 0; }
  bool needs_piece(const Setup& s) const {
    return end == End::none && queued < 1 + (sparing ? std::min(1, s.previews) : s.previews);
  }
  bool needs_chance(const Setup& s) const { return needs_hole() || needs_piece(s); }

  template <class Out>
  void chance(const Setup& s, Out& out) const {
    if (needs_hole()) {
      const double move = hole < 0 ? 1 : packets[0].begun ? s.hole_mess : s.hole_change;
      const bool anywhere = hole < 0 || s.hole_repeats;
      for (int x = 0; x < kCols; ++x) {
        const double p = anywhere    ? move / kCols + (x == hole ? 1 - move : 0)
                         : x == hole ? 1 - move
                                     : move / (kCols - 1);
        if (p > 0) out.push({kHoleOutcome + x, p});
      }
      return;
    }
    const int size = s.uniform ? kPieces : std::popcount(bag);
    for (int piece = 0; piece < kPieces; ++piece)
      if (s.uniform || (bag >> piece & 1) != 0) out.push({piece, 1.0 / size});
  }
  void resolve(const Setup& s, int outcome) {
    if (outcome >= kHoleOutcome) {
      raise(outcome - kHoleOutcome);
      settle(s);
    } else {
      draw(s, outcome);
    }
    if (!needs_chance(s)) arrive(s);
  }
  void draw(const Setup& s, int piece) {
    queue[queued++] = static_cast<std::int8_t>(piece);
    if (s.uniform) return;
    bag = static_cast<std::uint8_t>(bag & ~(1u << piece));
    if (bag == 0) bag = kFullBag;
  }

  // Takes back the last piece that was drawn: as if it were still in the bag.
  void forget(const Setup& s) {
    const int piece = queue[--queued];
    queue[queued] = 0;
    if (!s.uniform) bag = static_cast<std::uint8_t>((bag == kFullBag ? 0u : bag) | 1u << piece);
  }
  // Left and right exchanged. The rules hardly notice: only kicks of I, and the way down from the spawn, differ.
  void mirror() {
    std::reverse(board.col.begin(), board.col.end());
    for (std::size_t i = 0; i < queued; ++i) queue[i] = kMirrored[at(queue[i])];
    if (hold != kNoPiece) hold = kMirrored[at(hold)];
    if (hole >= 0) hole = static_cast<std::int8_t>(kCols - 1 - hole);
    unsigned turned = 0;
    for (int piece = 0; piece < kPieces; ++piece)
      if ((bag >> piece & 1) != 0) turned |= 1u << kMirrored[at(piece)];
    bag = static_cast<std::uint8_t>(turned);
  }

  // --- A placement ---------------------------------------------------------------------------------------------------
  Placed place(const Setup& s, bool holds, const Placement& p) {
    take(holds);
    Placed out;
    const bool outside = lock(s, p, out.clear);
    ++pieces;
    out.attack = attack_of(s.table, out.clear);
    score += score_of(out.clear);
    lines += out.clear.lines;
    attack += out.attack.lines;
    b2b = static_cast<std::int16_t>(out.attack.b2b);
    combo = out.clear.lines > 0 ? static_cast<std::int16_t>(combo + 1) : std::int16_t{0};
    out.sent = cancel(s, out.attack.lines);
    sent += out.sent;
    if (outside) end = End::lock_out;
    else if ((board.any() >> kRows) != 0) end = End::top_out;
    if (end != End::none) return out;
    if (out.clear.lines == 0 || !s.blocking) rise = static_cast<std::uint8_t>(due(s));
    for (std::size_t i = 0; i < waiting; ++i)
      if (packets[i].age < 255) ++packets[i].age;
    settle(s);
    return out;
  }
  // What the other player (or the schedule) sends.
  void receive(int amount) {
    while (amount > 0) {
      const int part = std::min(amount, 200);
      if (waiting < kMostPackets) packets[waiting++] = {static_cast<std::uint8_t>(part), 0, false};
      else packets[waiting - 1].lines = static_cast<std::uint8_t>(std::min(255, packets[waiting - 1].lines + part));
      amount -= part;
    }
  }
  // The next piece appears, or cannot.
  void arrive(const Setup& s) {
    if (end == End::none && spawn_row(s, current()) < 0) end = End::block_out;
  }

  std::uint64_t hash() const {
    std::uint64_t h = mix(dug);
    for (const Column c : board.col) h = mix(h, c);
    for (std::size_t i = 0; i < queued; ++i) h = mix(h, static_cast<std::uint64_t>(queue[i]) + 1 + 8 * i);
    for (std::size_t i = 0; i < waiting; ++i)
      h = mix(h, packets[i].lines + 256u * packets[i].age + (packets[i].begun ? 65536u : 0));
    const auto word = [](auto value) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(value)); };
    h = mix(h, bag);
    h = mix(h, word(hold + 1) | word(hole + 1) << 8 | word(rise) << 16 | word(static_cast<int>(end)) << 24 |
                   word(combo) << 32 | word(static_cast<std::uint16_t>(b2b)) << 48);
    h = mix(h, word(attack) | word(lines) << 32);
    h = mix(h, word(pieces) | word(score) << 32);
    return mix(h, word(sent));
  }

 private:
  // The piece that is placed leaves the queue.
  void take(bool holds) {
    int from = 1;
    if (holds) {
      const std::int8_t held = queue[0];
      if (hold == kNoPiece) from = 2;
      hold = held;
    }
    std::copy(queue.begin() + from, queue.begin() + queued, queue.begin());
    queued = static_cast<std::uint8_t>(queued - from);
    std::fill(queue.begin() + queued, queue.end(), std::int8_t{0});
  }
  // Whether the piece locked outside.
  bool lock(const Setup& s, const Placement& p, Clear& clear) {
    board.put(p.piece, p.r, p.x, p.y);
    int lowest = kRows;
    for (const Cell c : shape(p.piece, p.r)) lowest = std::min(lowest, p.y + c.y);
    const Column full = board.clear();
    clear = {.lines = std::popcount(full), .spin = p.spin, .b2b = b2b, .combo = combo};
    clear.dug = (full & dug) != 0;
    if (full != 0) dug = Board::without(dug, full);
    clear.perfect = full != 0 && board.empty();
    return (s.lock_out == LockOut::all && lowest >= s.height) ||
           (s.lock_out == LockOut::any && (board.any() >> s.height) != 0);
  }
  int cancel(const Setup& s, int amount) {
    while (amount > 0 && waiting > 0) {
      const int worth = pieces <= s.opener && incoming() >= sent ? 2 : 1;
      Packet& first = packets[0];
      first.lines = static_cast<std::uint8_t>(std::max(0, first.lines - worth));
      --amount;
      if (first.lines == 0) drop_packet();
    }
    return amount;
  }
  void drop_packet() {
    std::copy(packets.begin() + 1, packets.begin() + waiting, packets.begin());
    packets[--waiting] = {};
  }
  // Rows whose hole does not depend on chance rise at once.
  void settle(const Setup& s) {
    while (needs_hole() && hole >= 0 && (packets[0].begun ? s.hole_mess : s.hole_change) <= 0) raise(hole);
  }
  void raise(int column) {
    board.raise(column);
    dug = dug << 1 | 1;
    hole = static_cast<std::int8_t>(column);
    packets[0].begun = true;
    --rise;
    if (--packets[0].lines == 0) drop_packet();
    if ((board.any() >> kRows) != 0) end = End::top_out;
  }
};

} // namespace sevenfold::tetris
