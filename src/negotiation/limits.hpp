#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include "base/limits.hpp"
#include "loop/time.hpp"

/// Limits that bound a negotiation regardless of how peers behave. docs/negotiation.md has a row for each.
namespace caribou::negotiation {

struct Limits {
    std::size_t max_name = 255;              ///< bytes in the name of a topic or type
    std::size_t max_compatible = 64;         ///< compatible publishers, or compatible subscriptions
    std::size_t max_upstreams = 16;          ///< upstream subscriptions of one publisher
    std::size_t max_subscriptions = 10'000;  ///< per publisher; further ones are ignored
    std::size_t max_listed_types = 256;      ///< per subscription; further entries are ignored
    std::size_t max_chain = 32;              ///< topics in a row; a longer chain counts as a cycle
    std::size_t max_publishers = 64;         ///< that a subscription follows on one base topic
    std::size_t max_held = 1024;    ///< samples of a new type held while the old one is still received
    std::size_t max_results = 128;  ///< entries in one result; further ones are ignored

    /// Minimum interval between results. Changes within it are answered together.
    Duration result_interval = std::chrono::milliseconds(10);
    /// Maximum delay before the next negotiation after one that used up its budget. It keeps peers that
    /// change their lists constantly from occupying the processor.
    Duration longest_pause = std::chrono::milliseconds(200);
    /// How long the old type is still published if a subscription does not switch. It is received for up to
    /// twice as long.
    Duration switch_limit = std::chrono::milliseconds(500);
    /// How long a node in a chain keeps its connection and its result for lack of a better one, after it has
    /// requested other types from upstream.
    Duration answer_limit = std::chrono::seconds(1);
    /// A subscription that is not answered by a publisher sends its list to it again after these intervals,
    /// and reports it after the last one.
    std::array<Duration, 4> list_retries{std::chrono::milliseconds(200), std::chrono::milliseconds(300),
                                         std::chrono::milliseconds(500), std::chrono::milliseconds(1000)};
    /// How long a publisher waits for its upstreams before it reports that they do not respond.
    Duration upstream_limit = std::chrono::seconds(5);
    /// Minimum interval between published reports.
    Duration report_interval = std::chrono::seconds(1);
};

}  // namespace caribou::negotiation
