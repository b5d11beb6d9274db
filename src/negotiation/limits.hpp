#pragma once

#include <chrono>
#include <cstddef>

#include "base/limits.hpp"
#include "loop/time.hpp"

/// What bounds a negotiation, however others behave. docs/negotiation.md has a row for each.
namespace caribou::negotiation {

struct Limits {
    std::size_t max_name = 255;              ///< bytes of a topic's or a type's name
    std::size_t max_compatible = 64;         ///< compatible publishers, or subscriptions
    std::size_t max_upstreams = 16;          ///< upstream subscriptions of one publisher
    std::size_t max_subscriptions = 10'000;  ///< that one publisher hears; more are not heard
    std::size_t max_listed_types = 256;      ///< of one subscription; what it lists beyond is not read
    std::size_t max_chain = 32;              ///< topics one behind another; a longer chain counts as a cycle
    std::size_t max_publishers = 64;         ///< on one base topic that a subscription follows
    std::size_t max_held = 1024;             ///< samples of a new type while the old one is still heard
    std::size_t max_results = 128;           ///< entries of one result; what is listed beyond is not read

    /// At most one result is sent in this time; whatever happens meanwhile is answered together.
    Duration result_interval = std::chrono::milliseconds(10);
    /// How long a new negotiation waits, at most, after one that used up its budget. So peers that
    /// change their minds all the time cannot keep a processor busy.
    Duration longest_pause = std::chrono::milliseconds(200);
    /// How long the old type is still published, or heard, when some subscription does not come over.
    Duration switch_limit = std::chrono::milliseconds(200);
    /// How long a publisher waits for its upstreams before it says that they do not answer.
    Duration upstream_limit = std::chrono::seconds(5);
    /// At most one report is published in this time.
    Duration report_interval = std::chrono::seconds(1);
};

}  // namespace caribou::negotiation
