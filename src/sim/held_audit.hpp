#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "robot/held.hpp"

namespace caribou::sim {

/// Checks that the memory of a robot is bounded: no container grows beyond its limit. Reports each violation
/// once.
class HeldAudit {
public:
    /// `most` replaces every limit, to test that violations are found.
    explicit HeldAudit(std::optional<std::size_t> most = {}) : most_(most) {}

    /// Compares the sizes of all containers with their limits.
    void look(std::span<const robot::Held> held);
    const std::vector<std::string>& findings() const { return findings_; }

private:
    std::optional<std::size_t> most_;
    std::vector<std::string> findings_;
};

}  // namespace caribou::sim
