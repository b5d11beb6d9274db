#include "behavior/decorators.hpp"

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::behavior {

Outcome Invert::result_of(const Outcome& ended) const {
    switch (ended.kind()) {
        case Outcome::Kind::succeeded:
            return Outcome::failed(fmt::format("{} succeeded", size() > 0 ? child(0).id() : "no child"));
        case Outcome::Kind::failed: return Outcome::succeeded();
        case Outcome::Kind::cancelled: return ended;
    }
    return ended;
}

Outcome ForceFailure::result_of(const Outcome& ended) const {
    if (ended.kind() == Outcome::Kind::failed) return ended;
    return Outcome::failed(fmt::format("{} was to fail, and {}", id(), to_string(ended)));
}

void Timeout::on_begin(Control& control) {
    control.after(limit_, [this](Control& late) {
        (void)late.finish(Outcome::failed("timed out after " + duration_text(limit_)));
    });
}

}  // namespace caribou::behavior
