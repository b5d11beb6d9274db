#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/event.hpp"

namespace caribou::behavior {

/// The events posted since the last tick, and those delivered in the current one.
class Events {
public:
    explicit Events(std::size_t limit) : limit_(limit) {}

    /// Returns the number of the topic, which is constant for the lifetime of the runner.
    std::uint32_t topic(std::string_view name);
    /// Returns false if the limit is reached and the event is lost.
    bool post(std::string_view topic, Value value);
    /// Starts delivering the events posted since the last call.
    void begin();

    bool any() const { return !current_.empty(); }
    /// Returns the current events of the topics, in order of posting. Valid until the next call.
    std::span<const Event* const> select(std::span<const std::uint32_t> topics);

private:
    std::size_t limit_;
    std::map<std::string, std::uint32_t, std::less<>> topics_;
    std::vector<Event> waiting_;
    std::vector<Event> current_;
    std::vector<const Event*> selected_;
};

}  // namespace caribou::behavior
