// Tests of the core that Python cannot reach: wide bit arithmetic against a naive one, structs too large for the
// State's buffer, structs that own memory, repeated turns, eight players, 4096 actions.
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/bits.h"
#include "game/perft.h"
#include "game/registry.h"

using namespace sevenfold;

namespace {

int failures = 0, checks = 0;

#define CHECK(condition)                                                  \
  do {                                                                    \
    ++checks;                                                             \
    if (!(condition)) {                                                   \
      ++failures;                                                         \
      std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                     \
  } while (false)

template <int Words>
std::bitset<64 * Words> naive(const Bits<Words>& bits) {
  std::bitset<64 * Words> out;
  for (int i = 0; i < 64 * Words; ++i) out[static_cast<std::size_t>(i)] = bits.test(i);
  return out;
}

template <int Words>
void test_bits(Rng& rng) {
  constexpr int kSize = 64 * Words;
  for (int round = 0; round < 2000; ++round) {
    Bits<Words> a, b;
    // Sparse, dense and all-ones words, so that carries run through several words.
    for (auto& word : a.word) word = rng.below(3) == 0 ? ~std::uint64_t{0} : rng.next();
    for (auto& word : b.word) word = rng.below(3) == 0 ? rng.next() & rng.next() & rng.next() : rng.next();
    CHECK(naive<Words>(a & b) == (naive<Words>(a) & naive<Words>(b)));
    CHECK(naive<Words>(a | b) == (naive<Words>(a) | naive<Words>(b)));
    CHECK(naive<Words>(~a) == ~naive<Words>(a));
    const int shift = 1 + static_cast<int>(rng.below(63));
    CHECK(naive<Words>(a >> shift) == naive<Words>(a) >> static_cast<std::size_t>(shift));
    CHECK(naive<Words>(a << shift) == naive<Words>(a) << static_cast<std::size_t>(shift));
    CHECK(a.count() == static_cast<int>(naive<Words>(a).count()));
    CHECK(a.any() == naive<Words>(a).any());

    std::bitset<kSize> sum;
    bool carry = false;
    for (std::size_t i = 0; i < kSize; ++i) {
      const int digit = naive<Words>(a)[i] + naive<Words>(b)[i] + carry;
      sum[i] = digit & 1;
      carry = digit > 1;
    }
    CHECK(naive<Words>(a + b) == sum);

    std::vector<int> indices;
    a.for_each([&](int i) { indices.push_back(i); });
    CHECK(std::is_sorted(indices.begin(), indices.end()) && static_cast<int>(indices.size()) == a.count());
    for (int k = 0; k < a.count(); k += 7) CHECK(a.select(k) == indices[static_cast<std::size_t>(k)]);
  }
}

// Eight players; each takes two turns in a row; 4096 actions; a struct of `Bytes` bytes; owns memory.
template <std::size_t Bytes>
struct Big {
  static constexpr Facts facts{
      .name = "big", .players = 8, .actions = 4096, .min_return = 0, .max_return = 1, .sum = Sum::any};
  std::array<std::byte, Bytes> padding{};
  std::vector<Action> taken;

  int to_move() const { return taken.size() == 32 ? TERMINAL : static_cast<int>(taken.size() / 2 % 8); }
  void legal_actions(ActionList& out) const {
    for (Action a = 0; a < 4096; ++a) out.push(a);
  }
  void play(Action action) {
    taken.push_back(action);
    padding[taken.size() % Bytes] = static_cast<std::byte>(action);
  }
  void returns(Values& out) const { out[static_cast<std::size_t>(taken.size() % 8)] = 1; }
  std::uint64_t hash() const {
    std::uint64_t out = 0;
    for (const Action a : taken) out = mix(out, static_cast<std::uint64_t>(a));
    return out;
  }
  std::string draw() const { return std::to_string(taken.size()); }
  std::string action_text(Action action) const { return std::to_string(action); }
};

template <std::size_t Bytes>
void test_state() {
  Registry registry;
  registry.add<Big<Bytes>>();
  const auto game = registry.make("big", {});
  State a = game->initial();
  CHECK(a.to_move() == 0);
  a.play(4095);
  CHECK(a.to_move() == 0); // the same player again
  a.play(1);
  CHECK(a.to_move() == 1);
  State b = a;
  b.play(7);
  CHECK(a.hash() != b.hash() && a.draw() == "2" && b.draw() == "3");
  a = b;
  CHECK(a.hash() == b.hash());
  a = a;
  CHECK(a.draw() == "3");
  ActionList list;
  a.legal_actions(list);
  CHECK(list.size() == 4096 && list.full());
  Rng rng(5);
  CHECK(a.play_out(rng) == 29 && a.is_over());
  Watch watch;
  const auto plies = perft(game->initial(), 1, false, watch);
  CHECK(plies[1].count == 4096);
  CHECK(perft(game->initial(), 1, true, watch)[1].count == 4096);
}

// Assigning a state of another game replaces the table and the struct.
void test_assignment_across_games() {
  Registry registry;
  registry.add<Big<16>>();
  const auto small = registry.make("big", {});
  Registry other;
  other.add<Big<5000>>();
  const auto large = other.make("big", {});
  State state = small->initial();
  state.play(3);
  state = large->initial();
  CHECK(state.draw() == "0");
  state.play(9);
  state = small->initial();
  CHECK(state.draw() == "0");
  state = large->initial();
  State copy(state);
  CHECK(copy.draw() == "0");
}

void test_perft_stops() {
  Registry registry;
  registry.add<Big<16>>();
  const auto game = registry.make("big", {});
  Watch watch;
  watch.stop = true;
  bool stopped = false;
  try {
    perft(game->initial(), 3, false, watch);
  } catch (const Stopped&) {
    stopped = true;
  }
  CHECK(stopped);
}

} // namespace

// The rooms are not linked here.
const Registry& Registry::house() {
  static const Registry empty;
  return empty;
}

int main() {
  Rng rng(1);
  test_bits<1>(rng);
  test_bits<2>(rng);
  test_bits<3>(rng);
  test_state<16>();
  test_state<5000>(); // too large for the buffer: on the heap
  test_assignment_across_games();
  test_perft_stops();
  std::printf("%d passed, %d failed\n", checks - failures, failures);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
