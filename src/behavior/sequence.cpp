#include "behavior/sequence.hpp"

#include <fmt/format.h>

#include "behavior/explain.hpp"

namespace caribou::behavior {

Wants Sequence::could_start(const View& view) const {
    const Wants first = size() > 0 ? view.wants(child(0)) : Wants(false);
    if (first) return true;
    if (first.is_later()) return Wants::later("its first child does not want control yet", Gate::delegates);
    return {Gate::delegates, "its first child does not want control"};
}

void Sequence::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if ((ended && !ended->has_succeeded()) || next_ == size()) {
        (void)control.finish(ended ? *ended : Outcome::succeeded());
        return;
    }
    const std::size_t turn = next_;
    const Wants wants = ask(control, turn);
    if (wants.is_later()) return;
    ++next_;
    if (wants && start(control, turn)) return;
    const bool is_clear = wants.gate() == Gate::none || wants.why_not().empty();
    (void)control.finish(Outcome::failed(
        fmt::format("{} does not want control{}{}", child(turn).id(), is_clear ? "" : ": ",
                    is_clear ? "" : sentence({child(turn).number(), wants.gate(), wants.why_not()}))));
}

}  // namespace caribou::behavior
