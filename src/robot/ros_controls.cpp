#include "robot/ros_controls.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "msg/geometry_msgs/pose_stamped.hpp"
#include "msg/geometry_msgs/pose_with_covariance_stamped.hpp"
#include "msg/std_msgs/empty.hpp"
#include "msg/std_msgs/int32.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/ros_units.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::robot {
namespace {

/// Returns a pose on the floor, or why it is none.
Result<Pose> floor_pose(const msg::geometry_msgs::Pose& pose, const std::string& frame,
                        const std::string& map) {
    if (!frame.empty() && frame != map)
        return fail(Code::invalid_argument,
                    fmt::format("it is in the frame `{}`; expected `{}`", frame, map));
    const auto& turn = pose.orientation;
    constexpr double tolerance = 0.1;
    const double length = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w);
    const Pose flat{pose.position.x, pose.position.y, negotiation::yaw_of(turn.x, turn.y, turn.z, turn.w)};
    if (!std::isfinite(flat.x) || !std::isfinite(flat.y) || !std::isfinite(flat.heading))
        return fail(Code::invalid_argument, "its numbers are not finite");
    // Also true for a length that is not finite.
    if (!(std::abs(length - 1) <= tolerance))
        return fail(Code::invalid_argument,
                    fmt::format("its orientation has the length {:.3g}; expected 1", length));
    if (turn.x * turn.x + turn.y * turn.y > tolerance)
        return fail(Code::invalid_argument, "its orientation is not upright");
    return flat;
}

}  // namespace

/// A topic, and its status.
class RosControls::Control final : public negotiation::ReaderEvents, public negotiation::WriterEvents {
public:
    Control(RosControls& owner, Take take) : owner_(owner), take_(take) {}

    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        ++number;
        (owner_.*take_)(*this, sample);
    }
    void show(const std::string& text) {
        // If the write fails, the next status replaces it.
        std::ignore = status->write(negotiation::make_sample(
            std::make_shared<const msg::std_msgs::String>(msg::std_msgs::String{text}),
            owner_.strand_.loop().clock().wall()));
    }
    void show_answer(const link::Answer& answer) {
        const std::string text = answer.text.empty() ? "" : ": " + answer.text;
        if (answer.refusal)
            show(fmt::format("{}: {}", answer.refusal == link::Refusal::failed ? "failed" : "refused",
                             to_string(answer)));
        else
            show((answer.is_final() ? "done" : "running") + text);
    }
    void show_goal(const GoalNews& news) {
        switch (news.kind) {
            case GoalNews::Kind::running: return show("running");
            case GoalNews::Kind::done: return show("done");
            case GoalNews::Kind::failed: return show("failed: " + news.why);
            case GoalNews::Kind::refused: return show("refused: " + news.why);
        }
    }
    void show_result(const Result<void>& result) {
        show(result ? "done" : "refused: " + result.error().message);
    }

    std::uint64_t number = 0;  ///< of the latest message
    std::unique_ptr<negotiation::Writer> status;
    std::unique_ptr<negotiation::Reader> reader;

private:
    RosControls& owner_;
    Take take_;
};

RosControls::RosControls(Strand& strand, negotiation::Transport& transport, RobotBuffers& buffers,
                         RosSender& sender, Hooks hooks, Options options)
    : strand_(strand),
      transport_(transport),
      buffers_(buffers),
      sender_(sender),
      hooks_(std::move(hooks)),
      options_(std::move(options)),
      stalls_(strand.loop()) {
    if (options_.name_space == "/") options_.name_space.clear();
}

RosControls::~RosControls() {
    if (session_ != 0) buffers_.close_session(session_);
}

Result<void> RosControls::start() {
    session_ = buffers_.open_session();
    // Best effort matches publishers of both kinds.
    if (auto opened = open("stop", "std_msgs/msg/Empty", &RosControls::take_stop,
                           {.reliability = negotiation::Reliability::best_effort});
        !opened)
        return opened;
    if (!options_.drive) return {};
    struct Row {
        std::string_view name;
        std::string_view type;
        Take take;
    };
    for (const auto& [name, type, take] :
         {Row{"release_stop", "std_msgs/msg/Empty", &RosControls::take_release},
          Row{"run_mode", "std_msgs/msg/Int32", &RosControls::take_run_mode},
          Row{"dock", "std_msgs/msg/Empty", &RosControls::take_dock},
          Row{"goal_pose", "geometry_msgs/msg/PoseStamped", &RosControls::take_goal},
          Row{"initialpose", "geometry_msgs/msg/PoseWithCovarianceStamped", &RosControls::take_pose}})
        if (auto opened = open(name, type, take); !opened) return opened;
    return {};
}

Result<void> RosControls::open(std::string_view name, std::string_view type, Take take,
                               negotiation::TopicQos qos) {
    const std::string topic = fmt::format("{}/{}", options_.name_space, name);
    auto control = std::make_unique<Control>(*this, take);
    auto status =
        transport_.advertise({topic + "/status", "std_msgs/msg/String"},
                             {.durability = negotiation::Durability::transient_local, .depth = 1}, *control);
    if (!status) return fail(std::move(status.error()));
    control->status = std::move(*status);
    auto reader = transport_.subscribe({topic, std::string(type)}, qos, *control);
    if (!reader) return fail(std::move(reader.error()));
    control->reader = std::move(*reader);
    controls_.push_back(std::move(control));
    return {};
}

template <class News>
std::function<void(const News&)> RosControls::told(Control& control, void (Control::*show)(const News&)) {
    const std::uint64_t number = control.number;
    const auto here = self_.bind([&control, show, number](RosControls&, const News& news) {
        if (control.number == number) (control.*show)(news);
    });
    return [&strand = strand_, here](const News& news) { strand.post_here([here, news] { here(news); }); };
}

void RosControls::submit(Control& control, link::Command command, link::Role role) {
    command.id = sender_.next_id();
    hooks_.submit({.peer = sender_.peer(role, session_),
                   .command = std::move(command),
                   .reply = told<link::Answer>(control, &Control::show_answer),
                   .given = stalls_.received()});
}

void RosControls::take_stop(Control& control, const negotiation::Sample&) {
    submit(control, {.code = link::CommandCode::full_stop}, link::Role::observe);
}

void RosControls::take_release(Control& control, const negotiation::Sample&) {
    submit(control, {.code = link::CommandCode::release_stop}, link::Role::drive);
}

void RosControls::take_dock(Control& control, const negotiation::Sample&) {
    submit(control, {.code = link::CommandCode::dock}, link::Role::drive);
}

void RosControls::take_run_mode(Control& control, const negotiation::Sample& sample) {
    const auto mode = negotiation::object_of<msg::std_msgs::Int32>(sample);
    if (!mode) return control.show("refused: " + mode.error().message);
    submit(control,
           {.code = link::CommandCode::set_run_mode, .arguments = {{"mode", std::to_string((*mode)->data)}}},
           link::Role::drive);
}

void RosControls::take_goal(Control& control, const negotiation::Sample& sample) {
    const auto goal = negotiation::object_of<msg::geometry_msgs::PoseStamped>(sample);
    if (!goal) return control.show("refused: " + goal.error().message);
    const auto pose = floor_pose((*goal)->pose, (*goal)->header.frame_id, options_.map_frame);
    if (!pose) return control.show("refused: " + pose.error().message);
    hooks_.go_to({.pose = *pose, .given = stalls_.received()}, told<GoalNews>(control, &Control::show_goal));
}

void RosControls::take_pose(Control& control, const negotiation::Sample& sample) {
    const auto message = negotiation::object_of<msg::geometry_msgs::PoseWithCovarianceStamped>(sample);
    if (!message) return control.show("refused: " + message.error().message);
    const auto pose = floor_pose((*message)->pose.pose, (*message)->header.frame_id, options_.map_frame);
    if (!pose) return control.show("refused: " + pose.error().message);
    hooks_.set_pose(*pose, told<Result<void>>(control, &Control::show_result));
}

}  // namespace caribou::robot
