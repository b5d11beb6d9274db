#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "robot/held.hpp"

namespace caribou::sim {

/// Memory is bounded: nothing that a robot holds grows beyond its named limit. Says what does, once.
class HeldAudit {
public:
    /// `most`: in place of every limit, to see whether anything would be found.
    explicit HeldAudit(std::optional<std::size_t> most = {}) : most_(most) {}

    void look(std::span<const robot::Held> held);
    const std::vector<std::string>& findings() const { return findings_; }

private:
    std::optional<std::size_t> most_;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
