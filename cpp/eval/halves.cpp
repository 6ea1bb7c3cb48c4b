#include "eval/halves.h"

#include <bit>
#include <stdexcept>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SEVENFOLD_HALVES __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")))
#include <immintrin.h>
#endif

namespace sevenfold::halves {
namespace {

constexpr std::size_t kLanes = 16, kTogether = 4;

// The nearest bfloat16; of two as near, the one that ends in 0.
std::uint32_t half_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

#ifdef SEVENFOLD_HALVES

SEVENFOLD_HALVES void pack(const float* in, std::size_t count, std::uint32_t* out) {
  for (std::size_t i = 0; i < count; i += 2 * kLanes) {
    const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(in + i + kLanes), _mm512_loadu_ps(in + i));
    _mm512_storeu_si512(out + i / 2, reinterpret_cast<const __m512i&>(both));
  }
}

template <std::size_t V>
SEVENFOLD_HALVES void product(const std::uint32_t* in, std::size_t deep, const std::uint32_t* weights, float* out) {
  constexpr std::size_t n = V * kLanes;
  __m512 sum[kTogether][V];
  for (std::size_t r = 0; r < kTogether; ++r)
    for (std::size_t v = 0; v < V; ++v) sum[r][v] = _mm512_loadu_ps(out + r * n + v * kLanes);
  for (std::size_t k = 0; k < deep / 2; ++k) {
    __m512i w[V];
    for (std::size_t v = 0; v < V; ++v) w[v] = _mm512_loadu_si512(weights + k * n + v * kLanes);
    for (std::size_t r = 0; r < kTogether; ++r) {
      const __m512i x = _mm512_set1_epi32(static_cast<int>(in[r * (deep / 2) + k]));
      for (std::size_t v = 0; v < V; ++v)
        sum[r][v] =
            _mm512_dpbf16_ps(sum[r][v], reinterpret_cast<const __m512bh&>(x), reinterpret_cast<const __m512bh&>(w[v]));
    }
  }
  for (std::size_t r = 0; r < kTogether; ++r)
    for (std::size_t v = 0; v < V; ++v) _mm512_storeu_ps(out + r * n + v * kLanes, sum[r][v]);
}

using Product = void (*)(const std::uint32_t*, std::size_t, const std::uint32_t*, float*);
constexpr Product kProducts[] = {nullptr,    product<1>, product<2>, product<3>, product<4>,
                                 product<5>, product<6>, product<7>, product<8>};

#endif

} // namespace

bool possible() {
#ifdef SEVENFOLD_HALVES
  static const bool can = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return can;
#else
  return false;
#endif
}

Pairs packed(const float* weights, std::size_t deep, std::size_t n) {
  Pairs out(deep / 2 * n);
  for (std::size_t k = 0; k < deep / 2; ++k)
    for (std::size_t i = 0; i < n; ++i)
      out[k * n + i] = half_of(weights[2 * k * n + i]) | half_of(weights[(2 * k + 1) * n + i]) << 16;
  return out;
}

std::size_t room(std::size_t rows, std::size_t deep) {
  return (rows + kTogether - 1) / kTogether * kTogether * deep / 2;
}

void products([[maybe_unused]] const float* in, [[maybe_unused]] std::size_t deep, [[maybe_unused]] std::size_t rows,
              [[maybe_unused]] const Pairs& weights, [[maybe_unused]] std::size_t n, [[maybe_unused]] float* out,
              [[maybe_unused]] std::uint32_t* space) {
#ifdef SEVENFOLD_HALVES
  const std::size_t whole = (rows + kTogether - 1) / kTogether * kTogether;
  pack(in, whole * deep, space);
  for (std::size_t r = 0; r < whole; r += kTogether)
    kProducts[n / kLanes](space + r * (deep / 2), deep, weights.data(), out + r * n);
#else
  throw std::logic_error("this processor has no products of halves.");
#endif
}

} // namespace sevenfold::halves
