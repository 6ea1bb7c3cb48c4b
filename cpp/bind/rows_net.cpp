#include "eval/rows_net.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include "bind/arrays.h"
#include "bind/bind.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

using Boards = nb::ndarray<const float, nb::shape<-1, -1, -1, -1>, nb::c_contig, nb::device::cpu>;

} // namespace

void bind_rows_net(nb::module_& m) {
  nb::class_<RowsNet>(m, "RowsNet", "A small net of the family rows, without a library; see cpp/eval/rows_net.h.")
      .def(
          "__init__",
          [](RowsNet* self, std::tuple<int, int, int> planes, int features, int channels, int blocks, int hidden,
             int values, const Column<float>& weights) {
            const auto [depth, rows, width] = planes;
            const RowsShape shape{depth, rows, width, features, channels, blocks, hidden, values};
            new (self) RowsNet(shape, std::vector<float>(weights.data(), weights.data() + weights.size()));
          },
          "planes"_a, "features"_a, "channels"_a, "blocks"_a, "hidden"_a, "values"_a, "weights"_a,
          "The weights one after the other, each matrix [inputs, outputs].")
      .def(
          "evaluate",
          [](const RowsNet& self, const Boards& planes, const Rows<float>& features, bool rough) -> Arrays {
            const RowsShape& shape = self.shape();
            const auto side = [](int n) { return static_cast<std::size_t>(n); };
            const std::size_t count = planes.shape(0);
            if (planes.shape(1) != side(shape.planes) || planes.shape(2) != side(shape.rows) ||
                planes.shape(3) != side(shape.width) || features.shape(0) != count ||
                features.shape(1) != side(shape.features))
              throw std::invalid_argument("these positions are not of the shape that this native net sees.");
            std::vector<float> logits(count * self.actions()), values(count * side(shape.values));
            {
              nb::gil_scoped_release release;
              if (rough) self.evaluate_roughly(planes.data(), features.data(), count, logits.data());
              else self.evaluate(planes.data(), features.data(), count, logits.data(), values.data());
            }
            return nb::make_tuple(array_of(std::move(values), {count, side(shape.values)}),
                                  array_of(std::move(logits), {count, self.actions()}));
          },
          "planes"_a, "features"_a, "rough"_a = false,
          "What the last layers say: the value head [N, values] and the policy [N, actions]. rough: the policy alone, "
          "by 16 bits where the processor can.");
}

} // namespace sevenfold::bind
