#include "game/perft.h"

#include <memory>
#include <unordered_set>

namespace sevenfold {
namespace {

void report(Watch& watch, std::uint64_t amount) {
  watch.done.fetch_add(amount, std::memory_order_relaxed);
  if (watch.stop.load(std::memory_order_relaxed)) throw Stopped();
}

class SequenceCounter {
 public:
  SequenceCounter(std::size_t depth, Watch& watch) : plies(depth + 1), lists_(depth), watch_(watch) {}

  void count(const State& state, std::size_t ply) {
    ++plies[ply].count;
    const bool over = state.is_over();
    plies[ply].ended += over;
    if (over || ply + 1 == plies.size()) return;
    ActionList& actions = lists_[ply];
    actions.clear();
    state.choices(actions);
    report(watch_, static_cast<std::uint64_t>(actions.size()));
    State next = state;
    for (const Action action : actions) {
      next = state;
      next.play(action);
      count(next, ply + 1);
    }
  }

  std::vector<PerftPly> plies;

 private:
  std::vector<ActionList> lists_; // one per ply, on the heap: 4096 actions a ply would eat the stack
  Watch& watch_;
};

// Many states of one game in a row, each taking only the bytes its rules need.
class PackedStates {
 public:
  explicit PackedStates(const Table& table) : table_(table), stride_((table.size + 15) / 16 * 16) {}
  PackedStates(const PackedStates&) = delete;
  PackedStates& operator=(const PackedStates&) = delete;
  ~PackedStates() {
    if (table_.destroy != nullptr)
      for (std::size_t i = 0; i < size_; ++i) table_.destroy(at(i));
  }

  void push(const State& state) {
    if (size_ == blocks_.size() * kBlock)
      blocks_.push_back(
          std::make_unique_for_overwrite<std::max_align_t[]>(kBlock * stride_ / sizeof(std::max_align_t)));
    table_.construct(at(size_), state.data());
    ++size_;
  }
  void load(std::size_t i, State& out) { table_.assign(out.data(), at(i)); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kBlock = 4096;
  void* at(std::size_t i) { return reinterpret_cast<std::byte*>(blocks_[i / kBlock].get()) + i % kBlock * stride_; }

  const Table& table_;
  std::size_t stride_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
};

std::vector<PerftPly> count_distinct(const State& start, std::size_t depth, Watch& watch) {
  std::vector<PerftPly> plies(depth + 1);
  plies[0] = {1, start.is_over()};
  auto level = std::make_unique<PackedStates>(start.table());
  level->push(start);
  State state = start, next = start;
  const auto actions = std::make_unique<ActionList>();
  for (std::size_t ply = 1; ply <= depth; ++ply) {
    auto below = std::make_unique<PackedStates>(start.table());
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t i = 0; i < level->size(); ++i) {
      level->load(i, state);
      actions->clear();
      state.choices(*actions);
      report(watch, static_cast<std::uint64_t>(actions->size()));
      for (const Action action : *actions) {
        next = state;
        next.play(action);
        if (!seen.insert(next.hash()).second) continue;
        const bool over = next.is_over();
        plies[ply].count += 1;
        plies[ply].ended += over;
        if (!over && ply < depth) below->push(next);
      }
    }
    level = std::move(below);
  }
  return plies;
}

} // namespace

std::vector<PerftPly> perft(const State& state, int depth, bool distinct, Watch& watch) {
  if (depth < 0 || depth > kMaxPerftDepth)
    throw std::invalid_argument("depth must be from 0 to " + std::to_string(kMaxPerftDepth) + ", not " +
                                std::to_string(depth) + ".");
  const auto plies = static_cast<std::size_t>(depth);
  if (distinct) return count_distinct(state, plies, watch);
  SequenceCounter counter(plies, watch);
  counter.count(state, 0);
  return counter.plies;
}

} // namespace sevenfold
