#include "station/topic.hpp"

#include "data/behaviors_section.hpp"
#include "data/bus_section.hpp"
#include "data/camera_topic.hpp"
#include "data/cubes_section.hpp"
#include "data/foxglove_frame_transform.hpp"
#include "data/foxglove_log.hpp"
#include "data/foxglove_pose_in_frame.hpp"
#include "data/foxglove_scene_update.hpp"
#include "data/health_section.hpp"
#include "data/map_topic.hpp"
#include "data/motion.hpp"
#include "data/plan_section.hpp"
#include "data/recorded_answer.hpp"
#include "data/recorded_command.hpp"
#include "data/route.hpp"
#include "data/scan_topic.hpp"
#include "data/status.hpp"
#include "data/topics_section.hpp"

namespace caribou::station {
namespace {

struct TopicRow {
    std::string_view name;
    std::string_view schema_name;
    std::string_view schema;
};

const TopicRow& row_of(Topic topic) {
    static const std::array<TopicRow, topic_count> rows{{
        {"pose", "foxglove.PoseInFrame", data::json_schema<data::FoxglovePoseInFrame>()},
        {"tf", "foxglove.FrameTransform", data::json_schema<data::FoxgloveFrameTransform>()},
        {"tf_map", "foxglove.FrameTransform", data::json_schema<data::FoxgloveFrameTransform>()},
        {"tf_odom", "foxglove.FrameTransform", data::json_schema<data::FoxgloveFrameTransform>()},
        {"scan", "foxglove.LaserScan", data::json_schema<data::ScanTopic>()},
        {"map", "foxglove.Grid", data::json_schema<data::MapTopic>()},
        {"camera", "foxglove.CompressedImage", data::json_schema<data::CameraTopic>()},
        {"scene", "foxglove.SceneUpdate", data::json_schema<data::FoxgloveSceneUpdate>()},
        {"log", "foxglove.Log", data::json_schema<data::FoxgloveLog>()},
        {"status", "caribou.status", data::json_schema<data::Status>()},
        {"motion", "caribou.motion", data::json_schema<data::Motion>()},
        {"route", "caribou.route", data::json_schema<data::Route>()},
        {"plan", "caribou.plan", data::json_schema<data::PlanSection>()},
        {"behaviors", "caribou.behaviors", data::json_schema<data::BehaviorsSection>()},
        {"cubes", "caribou.cubes", data::json_schema<data::CubesSection>()},
        {"bus", "caribou.bus", data::json_schema<data::BusSection>()},
        {"topics", "caribou.topics", data::json_schema<data::TopicsSection>()},
        {"health", "caribou.health", data::json_schema<data::HealthSection>()},
        {"command", "caribou.command", data::json_schema<data::RecordedCommand>()},
        {"answer", "caribou.answer", data::json_schema<data::RecordedAnswer>()},
    }};
    return rows.at(static_cast<std::size_t>(topic));
}

}  // namespace

std::string_view to_string(Topic topic) { return row_of(topic).name; }
std::string_view schema_name(Topic topic) { return row_of(topic).schema_name; }
std::string_view schema_text(Topic topic) { return row_of(topic).schema; }

std::optional<TopicName> topic_name_in(std::string_view text) {
    const std::size_t slash = text.rfind('/');
    if (slash == std::string_view::npos || slash < 2 || text[0] != '/') return std::nullopt;
    return TopicName{text.substr(1, slash - 1), text.substr(slash + 1)};
}

std::optional<Section> section_of(Topic topic) {
    if (topic < Topic::status || topic > Topic::health) return std::nullopt;
    return section_named(to_string(topic));
}

bool depends_on(Topic topic, views::View view) {
    if (topic == Topic::scene) return view == views::View::map || view == views::View::plan;
    return to_string(topic) == to_string(view);
}

}  // namespace caribou::station
