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
    /// Returns whether it has a reader.
    virtual bool wanted() const = 0;
    /// Publishes it, unless it is unchanged.
    virtual void take(const ViewPicture& picture) = 0;
    /// Returns the report of its negotiation (docs/formats/negotiation-report.md); empty if it is not
    /// negotiated.
    virtual std::string report() const { return {}; }
};

/// The place of a view. Loop and transport must outlive it.
struct ShowPlace {
    Loop& loop;
    negotiation::Transport& transport;
    std::string topic;
    std::function<void()> on_reader;  ///< called for each new reader
};

/// Publishes JSON as `std_msgs/msg/String`.
std::unique_ptr<ViewShow> make_text_show(ShowPlace place);
/// Publishes in the negotiated encodings of views/encodings.hpp.
std::unique_ptr<ViewShow> make_scan_show(ShowPlace place);
std::unique_ptr<ViewShow> make_map_show(ShowPlace place);

}  // namespace caribou::robot
