// What one viewer sees, as numbers for a network: planes [channels, height, width] and a feature vector.
// The memory is the caller's and arrives filled with zeros, so rules only write what is not zero.
#pragma once

#include <cstddef>

namespace sevenfold {

struct Planes {
  int channels = 0, height = 0, width = 0;
  constexpr int size() const { return channels * height * width; }
};

class Observation {
 public:
  Observation(Planes shape, float* planes, float* features) : shape_(shape), planes_(planes), features_(features) {}

  float& at(int channel, int row, int col) {
    return planes_[(static_cast<std::ptrdiff_t>(channel) * shape_.height + row) * shape_.width + col];
  }
  void fill(int channel, float value) {
    float* first = &at(channel, 0, 0);
    for (int i = 0; i < shape_.height * shape_.width; ++i) first[i] = value;
  }
  // A plane of at most 64 cells from a bitmask, lowest bit first, row by row.
  void plane(int channel, unsigned long long cells) {
    float* first = &at(channel, 0, 0);
    for (int i = 0; i < shape_.height * shape_.width; ++i) first[i] = static_cast<float>((cells >> i) & 1);
  }
  float& feature(int i) { return features_[i]; }

 private:
  Planes shape_;
  float* planes_;
  float* features_;
};

} // namespace sevenfold
