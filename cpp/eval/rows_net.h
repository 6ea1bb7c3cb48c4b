// A small net of the family rows, evaluated here: what nets/rows.py describes, without a library in between.
//
//   x_r = relu(A plane_r + B features)                         the first layer, of one row
//   x_r = relu(x_r + D relu(C x_r + P [mean x, max x]))        a block: a row, and the mean and maximum over the rows
//   policy_r = E x_r                                           as many logits as the row has cells
//   value = V relu(H [mean x, max x])                          raw: what the value head says before `valued`
//
// A library is made for large nets. Of one with a hundred thousand weights it spends most of the time around the sums;
// and the first layer has planes of zeros and a few ones, whose zeros cost nothing here. So playing to the end of a
// game by a net costs tens of microseconds, which makes rollouts by a net affordable in learning and in search.
//
// Channels are a multiple of 16 up to 128, actions are the cells row by row; other nets are refused, and ONNX Runtime
// evaluates them. Sums are in another order than there: results differ in the last digits. Where a processor has
// products of 16-bit numbers (halves.h), blocks can be computed by them at half the cost: good enough to choose by
// while a game is played to its end.
#pragma once

#include <cstddef>
#include <vector>

#include "eval/halves.h"
#include "game/rules.h"

namespace sevenfold {

struct RowsShape {
  int planes = 0, rows = 0, width = 0; // of what is seen
  int features = 0;
  int channels = 0, blocks = 0;
  int hidden = 0, values = 0; // of the value head; hidden 0: its only layer is the last one
};

class RowsNet {
 public:
  // The weights one after the other, each matrix [inputs, outputs]: A, its bias, B; of each block C, its bias, P, D,
  // its bias; E, its bias; of the value head H, its bias (where it has a hidden layer), V, its bias.
  RowsNet(const RowsShape& shape, const std::vector<float>& weights);

  const RowsShape& shape() const { return shape_; }
  std::size_t inputs() const { return static_cast<std::size_t>(shape_.planes * shape_.rows * shape_.width); }
  std::size_t actions() const { return static_cast<std::size_t>(shape_.rows * shape_.width); }

  // std::invalid_argument where a game is seen in another shape, or has other actions.
  void check(const Facts& facts) const;

  // planes [count, planes, rows, width], features [count, features]; logits [count, rows * width] and, where asked for,
  // values [count, values].
  void evaluate(const float* planes, const float* features, std::size_t count, float* logits, float* values) const {
    evaluate(planes, features, count, logits, values, false);
  }

  // The policy with 16 bits where the processor can, and as above where it cannot.
  void evaluate_roughly(const float* planes, const float* features, std::size_t count, float* logits) const {
    evaluate(planes, features, count, logits, nullptr, !halves_.empty());
  }

 private:
  void evaluate(const float* planes, const float* features, std::size_t count, float* logits, float* values,
                bool rough) const;
  void stem(const float* planes, const float* features, std::size_t count, float* x) const;
  void head(const std::size_t* part, const float* pool, std::size_t count, float* values) const;

  RowsShape shape_;
  std::size_t wide_ = 0; // of the policy's matrix, filled up to a whole register
  std::vector<float> weights_;
  std::vector<std::size_t> at_;       // where each matrix and bias begins
  std::vector<halves::Pairs> halves_; // of each block C, P and D; none where the processor has no use for them
};

} // namespace sevenfold
