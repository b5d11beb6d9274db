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

/// The events between two ticks, and those that the running tick hands out.
class Events {
public:
    explicit Events(std::size_t limit) : limit_(limit) {}

    /// The topic's number, the same for the whole life of the runner.
    std::uint32_t topic(std::string_view name);
    /// False: the limit is reached, and the event is lost.
    bool post(std::string_view topic, Value value);
    /// What was posted since the last call is handed out from now on.
    void begin();

    bool any() const { return !current_.empty(); }
    /// Those of the topics, in order of posting; valid until the next call.
    std::span<const Event* const> select(std::span<const std::uint32_t> topics);

private:
    std::size_t limit_;
    std::map<std::string, std::uint32_t, std::less<>> topics_;
    std::vector<Event> waiting_;
    std::vector<Event> current_;
    std::vector<const Event*> selected_;
};

}  // namespace caribou::behavior
