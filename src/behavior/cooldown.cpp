#include "behavior/cooldown.hpp"

namespace caribou::behavior {

void Cooldown::draw(Random& random) {
    drawn_ = options_.length;
    if (options_.jitter > 0)
        drawn_ = from_seconds(to_seconds(options_.length) * (1 + options_.jitter * (2 * random.unit() - 1)));
}

}  // namespace caribou::behavior
