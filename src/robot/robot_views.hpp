#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "loop/strand.hpp"
#include "robot/view_show.hpp"

namespace caribou::robot {

/// Publishes the views of a robot on topics, over any transport: scan, map and camera in the negotiated
/// encodings, everything else as JSON. Views without a reader are not requested.
class RobotViews {
public:
    /// All arguments must outlive this object. The transport must be on the strand's loop.
    /// `frames` are the names in ordinary ROS 2 messages.
    RobotViews(Strand& strand, negotiation::Transport& transport, std::string_view robot, AskView ask,
               Log& log, const RosFrames::Options& frames = {});
    ~RobotViews();
    RobotViews(const RobotViews&) = delete;
    RobotViews& operator=(const RobotViews&) = delete;

    /// Advertises the topics. Must be called on the strand, or while it is not running.
    void start();

private:
    struct Slot {
        std::unique_ptr<ViewShow> show;
        Duration period{};
        Instant next{};
        bool asked = false;  ///< requested, not answered yet
    };

    void wake();
    void look();
    void ask_for(views::View view);
    /// `mismatches` are lines.
    std::string topics_json(std::string_view mismatches) const;
    Slot& slot(views::View view) { return slots_.at(static_cast<std::size_t>(view)); }

    Strand& strand_;
    AskView ask_;
    Log& log_;
    std::array<Slot, views::view_count> slots_;
    std::unique_ptr<Timer> timer_;
    bool awake_ = false;
    std::shared_ptr<RobotViews*> self_;  ///< lets answers detect destruction
};

}  // namespace caribou::robot
