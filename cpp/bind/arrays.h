// numpy arrays in and out of the binding.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace nb = nanobind;

namespace sevenfold::bind {

template <class T>
using Column = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Rows = nb::ndarray<const T, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

using Arrays = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

// A numpy array that owns its numbers.
template <class T>
nb::object array_of(std::vector<T>&& numbers, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

template <class T>
nb::object array_of(std::vector<T>&& numbers) {
  const std::size_t size = numbers.size();
  return array_of(std::move(numbers), {size});
}

} // namespace sevenfold::bind
