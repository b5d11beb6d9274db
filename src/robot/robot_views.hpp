#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "loop/strand.hpp"
#include "robot/view_show.hpp"

namespace caribou::robot {

/// Shows a robot to whoever reads its topics, over any transport of them: the scan and the map in the
/// encodings that those who read agree on, everything else as JSON. What nobody reads is not even asked for.
class RobotViews {
public:
    /// All outlive it. The transport lives on the strand's loop.
    RobotViews(Strand& strand, negotiation::Transport& transport, std::string_view robot, AskView ask,
               Log& log);
    ~RobotViews();
    RobotViews(const RobotViews&) = delete;
    RobotViews& operator=(const RobotViews&) = delete;

    /// Offers the topics. On the strand, or while it stands still.
    void start();

private:
    struct Slot {
        std::unique_ptr<ViewShow> show;
        Duration period{};
        Instant next{};
        bool asked = false;  ///< and not yet told
    };

    void wake();
    void look();
    void ask_for(views::View view);
    std::string topics_json() const;
    Slot& slot(views::View view) { return slots_.at(static_cast<std::size_t>(view)); }

    Strand& strand_;
    AskView ask_;
    Log& log_;
    std::array<Slot, views::view_count> slots_;
    std::unique_ptr<Timer> timer_;
    bool awake_ = false;
    std::shared_ptr<RobotViews*> self_;  ///< by which answers see that it is gone
};

}  // namespace caribou::robot
