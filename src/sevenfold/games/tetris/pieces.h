// The seven pieces, their rotations and their kicks, as data.
//
// A pose is (orientation, x, y) of a piece's centre: the "true rotation" centre of SRS, which is also the centre of the
// Tetris bot protocol and of fumen. Orientations: 0 N (spawn), 1 E (one turn clockwise), 2 S, 3 W. x 0 is the leftmost
// column, y 0 the bottom row. The centre is always one of the piece's four cells.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sevenfold::tetris {

constexpr int kPieces = 7;
enum Piece : std::int8_t { kI, kO, kT, kL, kJ, kS, kZ, kNoPiece = -1 };
constexpr std::string_view kLetters = "IOTLJSZ";
constexpr std::string_view kOrientations = "NESW";

struct Cell {
  int x = 0, y = 0;
};
using Cells = std::array<Cell, 4>;

inline constexpr std::array<Cells, kPieces> kNorth{{
    {{{-1, 0}, {0, 0}, {1, 0}, {2, 0}}},  // I
    {{{0, 0}, {1, 0}, {0, 1}, {1, 1}}},   // O
    {{{-1, 0}, {0, 0}, {1, 0}, {0, 1}}},  // T
    {{{-1, 0}, {0, 0}, {1, 0}, {1, 1}}},  // L
    {{{-1, 0}, {0, 0}, {1, 0}, {-1, 1}}}, // J
    {{{-1, 0}, {0, 0}, {0, 1}, {1, 1}}},  // S
    {{{-1, 1}, {0, 1}, {0, 0}, {1, 0}}},  // Z
}};

// kShape[piece][orientation]: offsets from the centre. A turn clockwise takes (x, y) to (y, -x).
inline constexpr auto kShape = [] {
  std::array<std::array<Cells, 4>, kPieces> out{};
  for (std::size_t p = 0; p < kPieces; ++p) {
    out[p][0] = kNorth[p];
    for (std::size_t r = 1; r < 4; ++r)
      for (std::size_t i = 0; i < 4; ++i) out[p][r][i] = {out[p][r - 1][i].y, -out[p][r - 1][i].x};
  }
  return out;
}();

constexpr const Cells& shape(int piece, int r) {
  return kShape[static_cast<std::size_t>(piece)][static_cast<std::size_t>(r)];
}

// Different poses may fill the same cells. Of those the canonical one is N or E: for the orientations of a piece, which
// orientation it turns into and how far its centre moves.
struct Canon {
  int r = 0, x = 0, y = 0;
};
constexpr Canon canon(int piece, int r) {
  if (piece == kO)
    return std::array<Canon, 4>{{{0, 0, 0}, {0, 0, -1}, {0, -1, -1}, {0, -1, 0}}}[static_cast<std::size_t>(r)];
  if (piece == kI && r > 1) return r == 2 ? Canon{0, -1, 0} : Canon{1, 0, 1};
  if ((piece == kS || piece == kZ) && r > 1) return r == 2 ? Canon{0, 0, -1} : Canon{1, -1, 0};
  return {r, 0, 0};
}
// Whether a piece looks the same after half a turn (O after any).
constexpr bool two_faced(int piece) { return piece == kI || piece == kS || piece == kZ; }

// A piece seen in a mirror.
constexpr std::array<Piece, kPieces> kMirrored{kI, kO, kT, kJ, kL, kZ, kS};

// --- Kicks: displacements of the centre, tried in this order; the first that fits is taken.
// ---------------------------

struct Kicks {
  int count = 0;
  std::array<Cell, 6> tests{};
};
using KickTable = std::array<std::array<Kicks, 4>, 4>; // [from][to]

namespace kick_data {

constexpr Kicks five(Cell a, Cell b, Cell c, Cell d, Cell e) { return {5, {a, b, c, d, e}}; }

// J, L, S, T, Z by quarter turns; the same in SRS and SRS+. What matters is the flat or upright side it turns from.
constexpr KickTable most() {
  KickTable t{};
  t[0][1] = t[2][1] = five({0, 0}, {-1, 0}, {-1, 1}, {0, -2}, {-1, -2});
  t[1][0] = t[1][2] = five({0, 0}, {1, 0}, {1, -1}, {0, 2}, {1, 2});
  t[0][3] = t[2][3] = five({0, 0}, {1, 0}, {1, 1}, {0, -2}, {1, -2});
  t[3][0] = t[3][2] = five({0, 0}, {-1, 0}, {-1, -1}, {0, 2}, {-1, 2});
  return t;
}
// I: the centre moves when the piece turns in place, and that is part of the displacements.
constexpr KickTable srs_i() {
  KickTable t{};
  t[0][1] = t[3][2] = five({1, 0}, {-1, 0}, {2, 0}, {-1, -1}, {2, 2});
  t[1][2] = t[0][3] = five({0, -1}, {-1, -1}, {2, -1}, {-1, 1}, {2, -2});
  t[2][3] = t[1][0] = five({-1, 0}, {1, 0}, {-2, 0}, {1, 1}, {-2, -2});
  t[3][0] = t[2][1] = five({0, 1}, {1, 1}, {-2, 1}, {1, -1}, {-2, 2});
  return t;
}
// SRS+ (TETR.IO): the tests of I in an order that a mirror keeps.
constexpr KickTable plus_i() {
  KickTable t{};
  t[0][1] = five({1, 0}, {2, 0}, {-1, 0}, {-1, -1}, {2, 2});
  t[1][0] = five({-1, 0}, {-2, 0}, {1, 0}, {-2, -2}, {1, 1});
  t[1][2] = five({0, -1}, {-1, -1}, {2, -1}, {-1, 1}, {2, -2});
  t[2][1] = five({0, 1}, {-2, 1}, {1, 1}, {-2, 2}, {1, -1});
  t[2][3] = five({-1, 0}, {1, 0}, {-2, 0}, {1, 1}, {-2, -2});
  t[3][2] = five({1, 0}, {2, 0}, {-1, 0}, {2, 2}, {-1, -1});
  t[3][0] = five({0, 1}, {1, 1}, {-2, 1}, {1, -1}, {-2, 2});
  t[0][3] = five({0, -1}, {-1, -1}, {2, -1}, {2, -2}, {-1, 1});
  return t;
}
// Half turns, which plain SRS does not have.
constexpr KickTable with_half_turns(KickTable t) {
  t[0][2] = {6, {{{0, 0}, {0, 1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}}}};
  t[2][0] = {6, {{{0, 0}, {0, -1}, {-1, -1}, {1, -1}, {-1, 0}, {1, 0}}}};
  t[1][3] = {6, {{{0, 0}, {1, 0}, {1, 2}, {1, 1}, {0, 2}, {0, 1}}}};
  t[3][1] = {6, {{{0, 0}, {-1, 0}, {-1, 2}, {-1, 1}, {0, 2}, {0, 1}}}};
  return t;
}
constexpr KickTable with_half_turns_i(KickTable t) {
  t[0][2] = {2, {{{1, -1}, {1, 0}}}};
  t[2][0] = {2, {{{-1, 1}, {-1, 0}}}};
  t[1][3] = {2, {{{-1, -1}, {0, -1}}}};
  t[3][1] = {2, {{{1, 1}, {0, 1}}}};
  return t;
}
// Turning in place only: the first test alone.
constexpr KickTable in_place(KickTable t) {
  for (auto& row : t)
    for (auto& kicks : row)
      if (kicks.count > 1) kicks.count = 1;
  return t;
}

} // namespace kick_data

struct RotationSystem {
  KickTable most, i;
  constexpr const KickTable& of(int piece) const { return piece == kI ? i : most; }
};

enum class System : std::uint8_t { srs, srs_plus, none };
inline constexpr std::array<RotationSystem, 3> kSystems{{
    {kick_data::most(), kick_data::srs_i()},
    {kick_data::with_half_turns(kick_data::most()), kick_data::with_half_turns_i(kick_data::plus_i())},
    {kick_data::in_place(kick_data::most()), kick_data::in_place(kick_data::srs_i())},
}};
constexpr const RotationSystem& rotation_system(System system) { return kSystems[static_cast<std::size_t>(system)]; }

} // namespace sevenfold::tetris
