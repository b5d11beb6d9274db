#include "caribou/robot_state.hpp"

#include <fmt/format.h>

#include "caribou/key_place.hpp"
#include "caribou/robot_guard.hpp"
#include "platform/self_check_file.hpp"
#include "platform/text_file.hpp"
#include "robot/link_record.hpp"

namespace caribou::app {

std::string latch_path(const robot::RobotConfig& config) {
    return state_file(config.name, config.link_record, ".latch");
}

std::unique_ptr<LatchFile> open_latch(const robot::RobotConfig& config, const KeyFolder& keys, Log& log) {
    const bool is_first = !keys.has(config.name) && !keys.has(config.link_station);
    bool is_upgrade = false;
    const std::string record =
        config.link_record.empty() ? state_file(config.name, "", ".link") : config.link_record;
    if (const auto text = read_text_file(record, 4096)) {
        const auto read = robot::link_record_from(*text);
        is_upgrade = read && read->version < robot::LinkRecord::newest;
    }
    return LatchFile::open(
        latch_path(config),
        is_first || is_upgrade ? LatchFile::Missing::is_expected : LatchFile::Missing::is_lost, log);
}

Result<StateLock> lock_state(const robot::RobotConfig& config, StateLock::Use use) {
    return StateLock::take(state_file(config.name, config.link_record, ".lock"), use);
}

std::string self_check_path(const robot::RobotConfig& config) {
    return state_file(config.name, config.link_record, ".check");
}

std::string not_self_checked(const robot::RobotConfig& config, const std::string& config_path) {
    if (!is_real(config)) return {};
    const auto digest = body_digest(config);
    const std::string why =
        digest ? self_check_objection(self_check_path(config), *digest) : digest.error().message;
    if (why.empty()) return {};
    return fmt::format(
        "{}; end the robot, put it on a stand, and run `caribou robot --self-check --config {}`", why,
        config_path);
}

}  // namespace caribou::app
