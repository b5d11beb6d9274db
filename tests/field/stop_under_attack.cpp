#include "field/stop_under_attack.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>

#include <test_paths.hpp>
#include "adapters/keys/key_folder.hpp"
#include "attacker/attacks.hpp"
#include "base/check.hpp"
#include "field/large_recording.hpp"
#include "platform/local_token.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {

using namespace std::chrono_literals;

StopUnderAttack::StopUnderAttack(const std::vector<std::string>& attacks, AttackerPriority priority)
    : priority_(priority) {
    observer_key_ = (field_.scratch / field_.add_person("observer", "observe") / "rover.key").string();
    station_key_id_ = to_string(link::id_of(KeyFolder(field_.scratch / "of_robot").read("station")->key));
    const std::string recordings = (field_.scratch / "recordings").string();
    std::filesystem::create_directory(recordings);
    std::string config = "[record]\nfolder = \"" + recordings + "\"\n";
    if (std::ranges::find(attacks, "replays") != attacks.end())
        field_.scratch.write(std::string("recordings/") + replayed_recording + ".mcap",
                             text_of(large_recording()));
    else
        config.clear();
    field_.start_station(config);
    // It gains its full speed fast, because a benchmark stops it a thousand times.
    field_.start_robot("[motion]\nacceleration = 5\n[body]\ntrace = \"" + trace_.path() + "\"\n");
    check(field_.robot_line.contains("is ready in RM3"), "the robot has found its station");
    for (const std::string& attack : attacks)
        attackers_.push_back(std::make_unique<ChildProcess>(words_for(attack)));
    // Resources held by attackers must not block a station that connects later.
    Operator(field_.station_at).wait(500ms);
    field_.station->signal(SIGKILL);
    check(field_.station->wait(limit).has_value(), "the station was killed");
    field_.start_station(config);
}

std::vector<std::string> StopUnderAttack::words_for(const std::string& attack) const {
    std::vector<std::string> words{in_build("caribou_attacker")};
    if (priority_ == AttackerPriority::usual) words.emplace_back("--usual-priority");
    words.push_back(attack);
    constexpr std::array on_the_web{"requests", "watchers", "storm", "pipeline", "replays"};
    const bool is_web = std::ranges::find(on_the_web, attack) != on_the_web.end();
    words.push_back(is_web ? field_.station_at : field_.robot_at);
    if (!is_web) words.push_back(attack == "handshakes" ? station_key_id_ : observer_key_);
    return words;
}

bool StopUnderAttack::attacked() const {
    for (const auto& attacker : attackers_)
        if (attacker->wait(0s)) return false;
    return true;
}

std::string StopUnderAttack::address_for_operators() const {
    if (priority_ == AttackerPriority::lowest) return field_.station_at;
    return to_string(
        local_socket(field_.scratch / "state" / "caribou", Address::parse(field_.station_at)->port));
}

bool StopUnderAttack::done(Operator& person, const std::string& command, Duration limit) {
    const auto answer = person.answer_to(person.send(command), limit);
    if (answer && !answer->refusal) return true;
    trouble_ = command + ": " + (answer ? station::to_string(*answer) : "no answer; " + person.closed());
    return false;
}

bool StopUnderAttack::sees_order(Operator& person, bool at_full_speed, Instant since, Duration limit) {
    const SystemClock clock;
    for (const Instant end = clock.now() + limit; clock.now() < end; person.wait(1ms)) {
        trace_.take();
        const OrderTrace::Order& order = trace_.latest();
        if (order.at >= since && (at_full_speed ? order.speed >= OrderTrace::full_speed : !order.moves))
            return true;
    }
    trouble_ = at_full_speed ? "it does not move at full speed" : "it does not stop";
    return false;
}

std::optional<Duration> StopUnderAttack::stop_once(Duration limit) {
    const SystemClock clock;
    Operator person(address_for_operators(), field_.token());
    const auto drives = [](const station::RobotPicture& rover) {
        return rover.status.mode == data::StationMode::run1 && rover.is_in(link::RunMode::rm3);
    };
    if (!person.sees(drives, limit)) {
        const data::Status status = person.rover().status;
        trouble_ = "the operator does not see the robot: " + person.closed() + " " +
                   std::string(to_string(status.mode)) + " " + status.why;
        return std::nullopt;
    }
    trouble_ = "release_stop: " + person.release(limit);
    if (!trouble_.contains("DONE")) return std::nullopt;
    const Instant begun = clock.now();
    person.send("101 level=3 ttl=2s");
    if (!sees_order(person, true, begun, limit)) return std::nullopt;
    const Instant written = clock.now();
    person.send("full_stop");
    if (!sees_order(person, false, written, limit)) return std::nullopt;
    const Duration time = trace_.latest().at - written;
    if (!done(person, "release_lease", limit)) return std::nullopt;
    return time;
}

}  // namespace caribou::tests
