#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "loop/strand_inbox.hpp"
#include "negotiation/transport.hpp"

namespace caribou::robot {

/// Publishes lines of a log on `/rosout`. The latest are kept for subscribers that come later.
class RosLog final : private negotiation::WriterEvents {
public:
    /// If more lines wait for the strand, further ones are dropped.
    static constexpr std::size_t max_waiting = 1000;
    static constexpr std::size_t kept = 100;

    /// `strand` and `transport` must outlive this object. `node` is the name that each line shows.
    RosLog(Strand& strand, negotiation::Transport& transport, std::string node);

    Result<void> start();
    /// Returns a function that publishes a line, for any thread. It must not be called once this object is
    /// destroyed.
    std::function<void(Level, std::string_view)> writer();

private:
    struct Line {
        Level level;
        std::string text;
    };

    void publish_all();

    Strand& strand_;
    negotiation::Transport& transport_;
    std::string node_;
    std::unique_ptr<negotiation::Writer> writer_;
    StrandInbox<Line> lines_;
};

}  // namespace caribou::robot
