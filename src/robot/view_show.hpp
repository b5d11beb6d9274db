#pragma once

#include <functional>
#include <memory>
#include <string>

#include "loop/loop.hpp"
#include "negotiation/transport.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {

/// One view on its topic.
class ViewShow {
public:
    virtual ~ViewShow() = default;
    virtual Result<void> start() = 0;
    /// Whether anybody reads it.
    virtual bool wanted() const = 0;
    /// Publishes it, unless it is what they have already.
    virtual void take(const ViewPicture& picture) = 0;
    /// Of its negotiation, as docs/formats/negotiation-report.md has it. Empty: it is not negotiated.
    virtual std::string report() const { return {}; }
};

/// Where a view is shown. Loop and transport outlive it.
struct ShowPlace {
    Loop& loop;
    negotiation::Transport& transport;
    std::string topic;
    std::function<void()> on_reader;  ///< somebody new reads it
};

/// JSON, as `std_msgs/msg/String`.
std::unique_ptr<ViewShow> make_text_show(ShowPlace place);
/// In the encodings of views/encodings.hpp that were agreed on.
std::unique_ptr<ViewShow> make_scan_show(ShowPlace place);
std::unique_ptr<ViewShow> make_map_show(ShowPlace place);

}  // namespace caribou::robot
