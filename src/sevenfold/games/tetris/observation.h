// What a network sees of a side: planes [rows, 10] from the bottom up, and features. page.md lists them.
#pragma once

#include "tetris/side.h"

namespace sevenfold::tetris {

constexpr int kPlanes = 2; // of a side
inline int features_of(const Setup& s) { return s.document ? 11 : 7 + 8 + 7 * s.previews + 7 + 8 + kCols; }

class Observer {
 public:
  Observer(const Setup& s, Observation& out) : s_(s), out_(out) {}

  // The sides one after the other, the viewer's first.
  void add(const Side& side) {
    for (int y = 0; y < s_.rows; ++y)
      for (int x = 0; x < kCols; ++x) {
        const bool filled = (side.board.col[at(x)] >> y & 1) != 0;
        if (filled) out_.at(plane_, y, x) = 1;
        if (filled && (side.dug >> y & 1) != 0) out_.at(plane_ + 1, y, x) = 1;
      }
    plane_ += kPlanes;
    one_hot(side.queued > 0 ? side.current() : -1, kPieces);
    one_hot(side.hold, kPieces);
    feature(side.hold == kNoPiece);
    for (int i = 1; i <= s_.previews; ++i) one_hot(side.queued > i ? side.queue[at(i)] : -1, kPieces);
    for (int piece = 0; piece < kPieces; ++piece) feature(side.bag >> piece & 1);
    feature(std::min(2.0, side.combo / 8.0));
    feature(side.combo > 0);
    feature(side.b2b >= 0);
    feature(std::min(2.0, std::max<int>(side.b2b, 0) / 8.0));
    feature(std::min(2.0, side.incoming() / 10.0));
    feature(side.due(s_) / 10.0);
    feature(static_cast<double>(s_.pieces - side.pieces) / s_.pieces);
    feature(std::min(1.0, (s_.pieces - side.pieces) / 20.0));
    one_hot(s_.has_garbage() ? side.hole : -1, kCols);
  }

  // The founding document's: 20 rows, and piece ids (1 to 7 in the order IOTLJSZ, 0 for none) as plain numbers. It
  // lists ten of its eleven numbers; the eleventh here is the garbage that rises next.
  void add_document(const Side& side) {
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < kCols; ++x) out_.at(plane_, y, x) = static_cast<float>(side.board.col[at(x)] >> y & 1);
    ++plane_;
    feature(side.queued > 0 ? side.current() + 1 : 0);
    feature(side.hold + 1);
    for (int i = 1; i <= 5; ++i) feature(side.queued > i ? side.queue[at(i)] + 1 : 0);
    feature(std::max<int>(side.b2b, 0));
    feature(side.combo);
    feature(side.incoming());
    feature(side.due(s_));
  }

 private:
  void feature(double value) { out_.feature(feature_++) = static_cast<float>(value); }
  void one_hot(int which, int of) {
    for (int i = 0; i < of; ++i) feature(i == which);
  }

  const Setup& s_;
  Observation& out_;
  int plane_ = 0, feature_ = 0;
};

} // namespace sevenfold::tetris
