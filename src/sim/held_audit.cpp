#include "sim/held_audit.hpp"

#include <fmt/format.h>

namespace caribou::sim {

void HeldAudit::look(std::span<const robot::Held> held) {
    if (!findings_.empty()) return;
    for (const robot::Held& each : held)
        if (const std::size_t limit = most_.value_or(each.limit); each.count > limit)
            findings_.push_back(
                fmt::format("it holds {} {}, and at most {} are allowed", each.count, each.what, limit));
}

}  // namespace caribou::sim
