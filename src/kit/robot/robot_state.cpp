#include "kit/robot/robot_state.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "adapters/openssl/sha256.hpp"
#include "adapters/robot_files/self_check_file.hpp"
#include "kit/program/key_place.hpp"
#include "kit/robot/robot_guard.hpp"
#include "platform/text_file.hpp"
#include "robot/link_record.hpp"

namespace caribou::app {
std::string latch_path(const robot::RobotConfig& config) {
    return state_file(config.name, config.link_record, ".latch");
}

std::string map_folder(const robot::RobotConfig& config) {
    return state_file(config.name, config.link_record, ".maps");
}

std::string lock_path(const robot::RobotConfig& config) {
    return state_file(config.name, config.link_record, ".lock");
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

Result<std::optional<RobotLock>> lock_robot(const robot::RobotConfig& config, RobotLock::Holder holder,
                                            pid_t guard) {
    RobotLock::Plan plan{.name = config.name,
                         .file = lock_path(config),
                         .holder = holder,
                         .guard = guard,
                         .patience = std::chrono::seconds(2)};
    if (config.body == "driver") {
        if (!config.body_device.empty()) plan.devices.push_back(config.body_device);
        for (const std::string& device : devices_named_in(config.body_command))
            if (device != config.body_device) plan.devices.push_back(device);
    }
    auto lock = RobotLock::take(plan);
    if (!lock && lock.error().code != Code::refused) {
        // The folder of its state cannot be made or written: the lock does not depend on that.
        plan.file = "/dev/shm/caribou-lock-" + sha256_of(plan.file).substr(0, 32);
        if (auto other = RobotLock::take(plan); other || other.error().code == Code::refused)
            lock = std::move(other);
    }
    if (lock) return std::optional(std::move(*lock));
    if (lock.error().code == Code::refused) return fail(std::move(lock.error()));
    fmt::print(stderr, "caribou: warning: robot {} is not locked against a second one: {}\n", config.name,
               lock.error().message);
    return std::nullopt;
}

std::string stored_stop(const robot::RobotConfig& config) {
    const std::string path = latch_path(config);
    if (const auto pending = PendingStop(path).read())
        return fmt::format("{} is stopped until released, by {}", config.name, to_string(*pending));
    const auto text = read_text_file(path, LatchFile::max_size);
    if (!text && text.error().code == Code::not_found) return {};
    const auto record = text ? motion::latch_record_from(*text) : fail(text.error());
    if (!record) return fmt::format("{}: {}", path, record.error().message);
    if (!record->stop) return {};
    return fmt::format("{} is stopped until released, by {}", config.name, to_string(*record->stop));
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
