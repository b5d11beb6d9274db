#include "field/stop_under_attack.hpp"

#include <csignal>

#include <test_paths.hpp>
#include "base/check.hpp"
#include "platform/key_folder.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {

using namespace std::chrono_literals;

StopUnderAttack::StopUnderAttack(const std::vector<std::string>& attacks) {
    observer_key_ = (field_.scratch / field_.add_person("observer", "observe") / "rover.key").string();
    station_key_id_ = to_string(link::id_of(KeyFolder(field_.scratch / "of_robot").read("station")->key));
    field_.start_station();
    field_.start_robot("[body]\ntrace = \"" + trace_.path() + "\"\n");
    check(field_.robot_line.contains("is ready in RM3"), "the robot has found its station");
    for (const std::string& attack : attacks)
        attackers_.push_back(std::make_unique<ChildProcess>(words_for(attack)));
    // Resources held by attackers must not block a station that connects later.
    Operator(field_.station_at).wait(500ms);
    field_.station->signal(SIGKILL);
    check(field_.station->wait(limit).has_value(), "the station was killed");
    field_.start_station();
}

std::vector<std::string> StopUnderAttack::words_for(const std::string& attack) const {
    std::vector<std::string> words{in_build("caribou_attacker"), attack};
    const bool is_web = attack == "requests" || attack == "watchers";
    words.push_back(is_web ? field_.station_at : field_.robot_at);
    if (!is_web) words.push_back(attack == "handshakes" ? station_key_id_ : observer_key_);
    return words;
}

bool StopUnderAttack::attacked() const {
    for (const auto& attacker : attackers_)
        if (attacker->wait(0s)) return false;
    return true;
}

bool StopUnderAttack::done(Operator& person, const std::string& command, Duration limit) {
    const auto answer = person.answer_to(person.send(command), limit);
    if (answer && !answer->refusal) return true;
    trouble_ = command + ": " + (answer ? station::to_string(*answer) : "no answer; " + person.closed());
    return false;
}

bool StopUnderAttack::sees_order(Operator& person, bool moves, Instant since, Duration limit) {
    const SystemClock clock;
    for (const Instant end = clock.now() + limit; clock.now() < end; person.wait(1ms)) {
        trace_.take();
        if (trace_.latest().moves == moves && trace_.latest().at >= since) return true;
    }
    trouble_ = moves ? "it does not move" : "it does not stop";
    return false;
}

std::optional<Duration> StopUnderAttack::stop_once(Duration limit) {
    const SystemClock clock;
    Operator person(field_.station_at, field_.token());
    const auto drives = [](const station::RobotPicture& rover) {
        return rover.status.mode == data::StationMode::run1 && rover.is_in(link::RunMode::rm3);
    };
    if (!person.sees(drives, limit)) {
        const data::Status status = person.rover().status;
        trouble_ = "the operator does not see the robot: " + person.closed() + " " +
                   std::string(to_string(status.mode)) + " " + status.why;
        return std::nullopt;
    }
    if (!done(person, "release_stop", limit)) return std::nullopt;
    const Instant begun = clock.now();
    person.send("101 level=1 ttl=2s");
    if (!sees_order(person, true, begun, limit)) return std::nullopt;
    const Instant written = clock.now();
    person.send("full_stop");
    if (!sees_order(person, false, written, limit)) return std::nullopt;
    const Duration time = trace_.latest().at - written;
    if (!done(person, "release_lease", limit)) return std::nullopt;
    return time;
}

}  // namespace caribou::tests
