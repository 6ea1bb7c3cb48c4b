// A list of fixed capacity that lives where it is declared: the caller's stack. No allocation, and the
// unused part is never touched, so a large capacity costs nothing.
#pragma once

#include <cassert>
#include <cstddef>

namespace sevenfold {

template <class T, std::size_t Capacity>
class List {
 public:
  List() {} // leaves items_ uninitialised on purpose

  // An item too many is dropped: a slip in a game's rules must not write over the stack.
  void push(T item) {
    assert(size_ < Capacity);
    if (size_ < Capacity) items_[size_++] = item;
  }
  void clear() { size_ = 0; }
  bool full() const { return size_ == Capacity; }
  bool empty() const { return size_ == 0; }
  int size() const { return static_cast<int>(size_); }

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

 private:
  std::size_t size_ = 0;
  union {
    T items_[Capacity];
  };
};

} // namespace sevenfold
