// Products of matrices whose factors have 16 bits (bfloat16: the first half of a float) and whose sums have 32, on
// processors that have an instruction for it: twice as many at a time as with floats.
//
// Factors lie in pairs, one 32-bit word each: of weights [deep, n] the words [deep / 2, n] hold rows 2k and 2k + 1, of
// inputs [rows, deep] the words [rows, deep / 2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sevenfold::halves {

using Pairs = std::vector<std::uint32_t>;

// Whether this processor can.
bool possible();

// Weights [deep, n] as pairs; deep is even.
Pairs packed(const float* weights, std::size_t deep, std::size_t n);

// Room for inputs [rows, deep], rows rounded up to a multiple of four.
std::size_t room(std::size_t rows, std::size_t deep);

// out [rows, n] += in [rows, deep] * weights; n is a multiple of 16 up to 128, deep one of 32, and the memory of `out`
// goes on to a multiple of four rows. `space` has the room that the inputs need.
void products(const float* in, std::size_t deep, std::size_t rows, const Pairs& weights, std::size_t n, float* out,
              std::uint32_t* space);

} // namespace sevenfold::halves
