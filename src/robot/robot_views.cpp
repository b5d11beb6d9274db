#include "robot/robot_views.hpp"

#include <utility>

#include "data/topics.hpp"
#include "loop/due_again.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using views::View;

constexpr Duration look_period = 50ms;

/// Returns the interval at which a view is updated while it is read.
Duration period_of(View view) {
    switch (view) {
        case View::scan: return 100ms;
        case View::map: return 1s;
        case View::camera: return 100ms;
        case View::places: return 500ms;
        case View::plan:
        case View::behaviors:
        case View::cubes: return 200ms;
        case View::bus: return 250ms;
        case View::topics: return 1s;
        case View::health: return 500ms;
    }
    return 1s;
}

}  // namespace

RobotViews::RobotViews(Strand& strand, negotiation::Transport& transport, std::string_view robot, AskView ask,
                       Log& log, const RosFrames::Options& frames)
    : strand_(strand),
      ask_(std::move(ask)),
      log_(log),
      timer_(strand.loop().make_timer([this] { look(); })),
      self_(std::make_shared<RobotViews*>(this)) {
    for (const View view : views::all_views) {
        ShowPlace place{strand.loop(), transport, topic_of(robot, view), [this] { wake(); }, frames};
        slot(view).show = view == View::scan     ? make_scan_show(std::move(place))
                          : view == View::map    ? make_map_show(std::move(place))
                          : view == View::camera ? make_camera_show(std::move(place))
                                                 : make_text_show(std::move(place));
        slot(view).period = period_of(view);
    }
}

RobotViews::~RobotViews() = default;

void RobotViews::start() {
    for (const Slot& each : slots_)
        if (auto started = each.show->start(); !started)
            log_.warning("a view cannot be shown: " + started.error().message);
}

void RobotViews::wake() {
    if (!std::exchange(awake_, true)) timer_->arm(strand_.loop().clock().now());
}

void RobotViews::look() {
    const Instant now = strand_.loop().clock().now();
    awake_ = false;
    for (const View view : views::all_views) {
        Slot& of = slot(view);
        if (!of.show->wanted()) continue;
        awake_ = true;
        if (of.asked || now < of.next) continue;
        of.next = due_again(of.next, of.period, now);
        ask_for(view);
    }
    if (awake_) timer_->arm(now + look_period);
}

void RobotViews::ask_for(View view) {
    slot(view).asked = true;
    ask_({view, slot(view).show->camera()},
         [&strand = strand_, weak = std::weak_ptr(self_), view](ViewPicture picture) {
             strand.post_here([weak, view, picture = std::move(picture)] {
                 const auto self = weak.lock();
                 if (!self) return;
                 Slot& of = (*self)->slot(view);
                 of.asked = false;
                 if (!of.show->wanted()) return;
                 if (view != View::topics) return of.show->take(picture);
                 const auto* const mismatches = std::get_if<std::string>(&picture);
                 of.show->take((*self)->topics_json(mismatches != nullptr ? *mismatches : ""));
             });
         });
}

std::string RobotViews::topics_json(std::string_view mismatches) const {
    data::Topics topics;
    for (std::size_t end = 0; (end = mismatches.find('\n')) != std::string_view::npos;) {
        topics.mismatches.emplace_back(mismatches.substr(0, end));
        mismatches.remove_prefix(end + 1);
    }
    for (const Slot& each : slots_)
        if (auto report = each.show->report()) topics.reports.push_back(std::move(*report));
    return data::to_json(topics);
}

}  // namespace caribou::robot
