#include "kit/robot/robot_link.hpp"

#include <utility>

#include <fmt/format.h>

#include "kit/program/key_place.hpp"
#include "kit/program/writable_check.hpp"
#include "platform/random_bytes.hpp"
#include "platform/system_clock.hpp"

namespace caribou::app {
namespace {

/// Returns the name of the key that the robot shares with its station: that of the station, or the robot's
/// own, which need not exist yet.
Result<std::string> station_key_name(const robot::RobotConfig& config, const KeyFolder& folder) {
    if (folder.has(config.link_station)) return config.link_station;
    const bool is_here = Address::ip(config.server_ip, 0).is_loopback();
    if (!is_here || config.link_station != robot::RobotConfig{}.link_station)
        return fail(
            Code::not_found,
            fmt::format("no key for `{0}` in {1}: run `caribou pair make {2}` on the station, and `caribou "
                        "pair add {0}` here",
                        config.link_station, folder.path().string(), config.name));
    return config.name;
}

/// Creates the robot's own key if it is missing.
Result<void> make_own_key(const robot::RobotConfig& config, const KeyFolder& folder, Log& log) {
    const bool is_new = !folder.has(config.name);
    if (auto key = folder.read_or_save(new_key_for(config.name, link::Role::admin)); !key)
        return fail(std::move(key.error()));
    if (is_new)
        log.info(fmt::format("{} is the key for this user's station and tools on this machine",
                             folder.file_of(config.name).string()));
    return {};
}

link::BootNonce fresh_nonce() {
    link::BootNonce nonce{};
    fill_with_random_bytes(nonce);
    return nonce;
}

}  // namespace

RobotLink::RobotLink(const KeyFolder& folder, std::unique_ptr<LinkRecordFile> record,
                     robot::LinkTrust::Options options, Loop& loop, Network& below, Log& log, Refused refused)
    : ring_(folder, log),
      record_(std::move(record)),
      trust_(ring_, *record_, std::move(options)),
      network_(loop, below, log,
               {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                    auto key = trust_.admit(id);
                    if (!key) return fail(std::move(key.error()));
                    return key->key;
                },
                .on_refused = std::move(refused)}) {}

bool RobotLink::is_needed(const robot::RobotConfig& config) {
    return !config.link_plain && config.default_com_mode != 0;
}

Result<void> RobotLink::check(const robot::RobotConfig& config, const KeyFolder& folder) {
    const auto station = station_key_name(config, folder);
    if (!station) return fail(station.error());
    if (*station == config.link_station) return {};
    if (!folder.has(config.name)) return check_writable(folder.file_of(config.name));
    if (const auto key = folder.read(config.name); !key) return fail(key.error());
    return {};
}

Result<std::unique_ptr<RobotLink>> RobotLink::open(const robot::RobotConfig& config, const KeyFolder& folder,
                                                   Loop& loop, Network& below, Log& log, Refused refused) {
    auto station = station_key_name(config, folder);
    if (!station) return fail(std::move(station.error()));
    if (*station != config.link_station)
        if (auto made = make_own_key(config, folder, log); !made) return fail(std::move(made.error()));
    const std::string path =
        config.link_record.empty() ? state_file(config.name, "", ".link") : config.link_record;
    auto record = LinkRecordFile::open(path, SystemClock());
    if (!record) return fail(std::move(record.error()));
    if (!(*record)->not_stored().empty()) log.error("link record not stored: " + (*record)->not_stored());
    const std::uint64_t boot = (*record)->boot();
    return std::unique_ptr<RobotLink>(new RobotLink(
        folder, std::move(*record),
        {.robot = config.name, .station = std::move(*station), .boot = boot, .nonce = fresh_nonce()}, loop,
        below, log, std::move(refused)));
}

}  // namespace caribou::app
