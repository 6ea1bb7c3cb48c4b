#include "eval/rows_net.h"

#include <algorithm>
#include <stdexcept>
#include <string>

// The inner loops are compiled three times, for what processors of different ages can do, and the right one is taken at
// run time: the house is built for all of them.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SEVENFOLD_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define SEVENFOLD_CLONES
#endif

namespace sevenfold {
namespace {

constexpr int kLanes = 16, kMostChannels = 128;
constexpr std::size_t kAtOnce = 16;  // positions whose layers are computed together, so that weights stay near
constexpr std::size_t kTogether = 4; // rows of a product: their sums stay in registers

typedef float Lane __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

Lane& lane(float* p) { return *reinterpret_cast<Lane*>(p); }
const Lane& lane(const float* p) { return *reinterpret_cast<const Lane*>(p); }

// out [4, N] += in [4, deep] * weights [deep, N], N = 16 V.
template <int V>
[[gnu::always_inline]] inline void product(const float* in, std::size_t stride, std::size_t deep, const float* weights,
                                           float* out) {
  constexpr std::size_t n = V * kLanes;
  Lane sum[kTogether][V];
  for (std::size_t r = 0; r < kTogether; ++r)
    for (int v = 0; v < V; ++v) sum[r][v] = lane(out + r * n + static_cast<std::size_t>(v) * kLanes);
  for (std::size_t k = 0; k < deep; ++k) {
    Lane w[V];
    for (int v = 0; v < V; ++v) w[v] = lane(weights + k * n + static_cast<std::size_t>(v) * kLanes);
    for (std::size_t r = 0; r < kTogether; ++r) {
      const float x = in[r * stride + k];
      for (int v = 0; v < V; ++v) sum[r][v] += x * w[v];
    }
  }
  for (std::size_t r = 0; r < kTogether; ++r)
    for (int v = 0; v < V; ++v) lane(out + r * n + static_cast<std::size_t>(v) * kLanes) = sum[r][v];
}

// The same for any number of rows; the memory goes on to a multiple of four.
template <int V>
[[gnu::always_inline]] inline void products(const float* in, std::size_t deep, std::size_t rows, const float* weights,
                                            float* out) {
  for (std::size_t r = 0; r < rows; r += kTogether)
    product<V>(in + r * deep, deep, deep, weights, out + r * V * kLanes);
}

#define SEVENFOLD_PRODUCTS(V)                                                                                  \
  SEVENFOLD_CLONES void products##V(const float* in, std::size_t deep, std::size_t rows, const float* weights, \
                                    float* out) {                                                              \
    products<V>(in, deep, rows, weights, out);                                                                 \
  }
SEVENFOLD_PRODUCTS(1)
SEVENFOLD_PRODUCTS(2)
SEVENFOLD_PRODUCTS(3)
SEVENFOLD_PRODUCTS(4)
SEVENFOLD_PRODUCTS(5)
SEVENFOLD_PRODUCTS(6)
SEVENFOLD_PRODUCTS(7)
SEVENFOLD_PRODUCTS(8)
#undef SEVENFOLD_PRODUCTS

using Products = void (*)(const float*, std::size_t, std::size_t, const float*, float*);
constexpr Products kProducts[] = {nullptr,   products1, products2, products3, products4,
                                  products5, products6, products7, products8};

// to[i] += times * from[i], i < n, n a multiple of 16.
SEVENFOLD_CLONES void add(float* to, const float* from, float times, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) lane(to + i) += times * lane(from + i);
}

SEVENFOLD_CLONES void relu(float* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] = x[i] > 0 ? x[i] : 0;
}

// The mean and the maximum over the rows of each position, side by side.
SEVENFOLD_CLONES void around(const float* x, std::size_t count, std::size_t rows, std::size_t n, float* out) {
  for (std::size_t i = 0; i < count; ++i, x += rows * n, out += 2 * n)
    for (std::size_t c = 0; c < n; c += kLanes) {
      Lane sum = lane(x + c), most = sum;
      for (std::size_t r = 1; r < rows; ++r) {
        const Lane here = lane(x + r * n + c);
        sum += here;
        most = here > most ? here : most;
      }
      lane(out + c) = sum * (1.0f / static_cast<float>(rows));
      lane(out + n + c) = most;
    }
}

std::size_t whole(std::size_t n, std::size_t of) { return (n + of - 1) / of * of; }

} // namespace

RowsNet::RowsNet(const RowsShape& shape, const std::vector<float>& weights) : shape_(shape) {
  const int c = shape.channels;
  if (c < kLanes || c > kMostChannels || c % kLanes != 0)
    throw std::invalid_argument("a native net of rows has a multiple of 16 channels, up to 128.");
  if (shape.planes < 1 || shape.rows < 1 || shape.width < 1 || shape.width > kMostChannels || shape.features < 0 ||
      shape.blocks < 0 || shape.hidden < 0 || shape.values < 0)
    throw std::invalid_argument("this is no shape of a native net of rows.");
  wide_ = whole(static_cast<std::size_t>(shape.width), kLanes);
  struct Part {
    int deep, wide;
    std::size_t filled;
  };
  const auto exact = [](int deep, int wide) { return Part{deep, wide, static_cast<std::size_t>(wide)}; };
  std::vector<Part> parts{exact(shape.planes * shape.width, c), exact(1, c), exact(shape.features, c)};
  for (int b = 0; b < shape.blocks; ++b)
    for (const Part& one : {exact(c, c), exact(1, c), exact(2 * c, c), exact(c, c), exact(1, c)}) parts.push_back(one);
  parts.push_back({c, shape.width, wide_});
  parts.push_back({1, shape.width, wide_});
  if (shape.hidden > 0) {
    parts.push_back(exact(2 * c, shape.hidden));
    parts.push_back(exact(1, shape.hidden));
  }
  parts.push_back(exact(shape.hidden > 0 ? shape.hidden : 2 * c, shape.values));
  parts.push_back(exact(1, shape.values));
  const float* from = weights.data();
  std::size_t needed = 0;
  for (const Part& part : parts) needed += static_cast<std::size_t>(part.deep) * static_cast<std::size_t>(part.wide);
  if (needed != weights.size())
    throw std::invalid_argument("a native net of this shape has " + std::to_string(needed) + " weights, not " +
                                std::to_string(weights.size()) + ".");
  for (const Part& part : parts) {
    at_.push_back(weights_.size());
    for (int k = 0; k < part.deep; ++k, from += part.wide) {
      weights_.insert(weights_.end(), from, from + part.wide);
      weights_.resize(weights_.size() + part.filled - static_cast<std::size_t>(part.wide));
    }
  }
  if (!halves::possible() || c % (2 * kLanes) != 0) return;
  const auto n = static_cast<std::size_t>(c);
  for (std::size_t b = 0; b < static_cast<std::size_t>(shape.blocks); ++b) {
    const std::size_t* part = at_.data() + 3 + 5 * b;
    halves_.push_back(halves::packed(weights_.data() + part[0], n, n));
    halves_.push_back(halves::packed(weights_.data() + part[2], 2 * n, n));
    halves_.push_back(halves::packed(weights_.data() + part[3], n, n));
  }
}

void RowsNet::check(const Facts& facts) const {
  const Planes& seen = facts.planes;
  if (seen.channels != shape_.planes || seen.height != shape_.rows || seen.width != shape_.width ||
      facts.features != shape_.features || actions() != static_cast<std::size_t>(facts.actions))
    throw std::invalid_argument("this native net is for another game.");
}

void RowsNet::stem(const float* planes, const float* features, std::size_t count, float* x) const {
  const auto n = static_cast<std::size_t>(shape_.channels), rows = static_cast<std::size_t>(shape_.rows);
  const auto width = static_cast<std::size_t>(shape_.width), depth = static_cast<std::size_t>(shape_.planes);
  const auto seen = static_cast<std::size_t>(shape_.features);
  const float *a = weights_.data() + at_[0], *bias = weights_.data() + at_[1], *b = weights_.data() + at_[2];
  for (std::size_t i = 0; i < count; ++i, x += rows * n, planes += inputs(), features += seen) {
    std::copy_n(bias, n, x);
    for (std::size_t f = 0; f < seen; ++f)
      if (features[f] != 0) add(x, b + f * n, features[f], n);
    for (std::size_t r = 1; r < rows; ++r) std::copy_n(x, n, x + r * n);
    for (std::size_t p = 0; p < depth; ++p)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t cell = 0; cell < width; ++cell)
          if (const float one = planes[(p * rows + r) * width + cell]; one != 0)
            add(x + r * n, a + (p * width + cell) * n, one, n);
  }
}

void RowsNet::evaluate(const float* planes, const float* features, std::size_t count, float* logits, float* values,
                       bool rough) const {
  const auto n = static_cast<std::size_t>(shape_.channels), rows = static_cast<std::size_t>(shape_.rows);
  const auto width = static_cast<std::size_t>(shape_.width), seen = static_cast<std::size_t>(shape_.features);
  const Products narrow = kProducts[wide_ / kLanes];
  const std::size_t most = whole(kAtOnce * rows, kTogether), heads = whole(kAtOnce, kTogether);
  std::vector<float> memory((2 * most + 3 * heads) * n + most * wide_);
  float *x = memory.data(), *y = x + most * n, *pool = y + most * n, *shared = pool + 2 * heads * n;
  float* cells = shared + heads * n;
  const float* w = weights_.data();
  halves::Pairs space(rough ? std::max(halves::room(most, n), halves::room(heads, 2 * n)) : 0);
  // Matrix `which` of the blocks as they come, at `part` of the weights.
  const auto times = [&](const float* in, std::size_t deep, std::size_t height, std::size_t part, std::size_t which,
                         float* out) {
    if (rough) halves::products(in, deep, height, halves_[which], n, out, space.data());
    else kProducts[n / kLanes](in, deep, height, w + part, out);
  };
  for (std::size_t first = 0; first < count; first += kAtOnce) {
    const std::size_t here = std::min(kAtOnce, count - first), all = here * rows;
    stem(planes + first * inputs(), features + first * seen, here, x);
    relu(x, all * n);
    const std::size_t* part = at_.data() + 3;
    for (std::size_t block = 0; block < static_cast<std::size_t>(shape_.blocks); ++block, part += 5) {
      around(x, here, rows, n, pool);
      for (std::size_t i = 0; i < here; ++i) std::copy_n(w + part[1], n, shared + i * n);
      times(pool, 2 * n, here, part[2], 3 * block + 1, shared);
      for (std::size_t i = 0; i < all; ++i) std::copy_n(shared + i / rows * n, n, y + i * n);
      times(x, n, all, part[0], 3 * block, y);
      relu(y, all * n);
      for (std::size_t i = 0; i < all; ++i) add(x + i * n, w + part[4], 1, n);
      times(y, n, all, part[3], 3 * block + 2, x);
      relu(x, all * n);
    }
    for (std::size_t i = 0; i < all; ++i) std::copy_n(w + part[1], wide_, cells + i * wide_);
    narrow(x, n, all, w + part[0], cells);
    for (std::size_t i = 0; i < all; ++i) std::copy_n(cells + i * wide_, width, logits + (first * rows + i) * width);
    if (values == nullptr) continue;
    around(x, here, rows, n, pool);
    head(part + 2, pool, here, values + first * static_cast<std::size_t>(shape_.values));
  }
}

// The value head: small, and asked for rarely.
void RowsNet::head(const std::size_t* part, const float* pool, std::size_t count, float* values) const {
  const auto dense = [&](const float* in, std::size_t deep, std::size_t wide, const std::size_t* at, float* out) {
    std::copy_n(weights_.data() + at[1], wide, out);
    for (std::size_t k = 0; k < deep; ++k)
      for (std::size_t j = 0; j < wide; ++j) out[j] += in[k] * weights_[at[0] + k * wide + j];
  };
  const auto n = 2 * static_cast<std::size_t>(shape_.channels), out = static_cast<std::size_t>(shape_.values);
  const auto hidden = static_cast<std::size_t>(shape_.hidden);
  std::vector<float> inside(hidden);
  for (std::size_t i = 0; i < count; ++i, pool += n, values += out) {
    if (hidden == 0) {
      dense(pool, n, out, part, values);
      continue;
    }
    dense(pool, n, hidden, part, inside.data());
    for (float& one : inside) one = std::max(one, 0.0f);
    dense(inside.data(), hidden, out, part + 2, values);
  }
}

} // namespace sevenfold
