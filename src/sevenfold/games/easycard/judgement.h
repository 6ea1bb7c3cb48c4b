// What is good in easycard, as far as a look can tell: an order of the actions and an evaluation.
#pragma once

#include <algorithm>
#include <cmath>

#include "easycard/position.h"

namespace sevenfold::easycard {} // namespace sevenfold::easycard
