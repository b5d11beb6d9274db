#include "behavior/act.hpp"

#include <tuple>

namespace caribou::behavior {

void Act::on_activated(Control& control) {
    const auto started = control.delegate(*action_, [](Control& self, const Outcome& outcome) {
        std::ignore = self.finish(outcome);  // cannot fail: an active behavior may always end
    });
    if (!started) std::ignore = control.finish(Outcome::failed(started.error().message));
}

}  // namespace caribou::behavior
