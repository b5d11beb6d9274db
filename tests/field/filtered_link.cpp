#include "field/filtered_link.hpp"

#include "platform/system_clock.hpp"

namespace caribou::tests {

using namespace std::chrono_literals;

bool FilteredLink::start() {
    if (!network_) return false;
    field_.start_station();
    field_.start_robot("[motion]\nacceleration = 5\n[body]\ntrace = \"" + trace_.path() + "\"\n");
    robot_port_ = field_.robot_at.substr(field_.robot_at.rfind(':') + 1);
    person_ = std::make_unique<Operator>(field_.station_at, field_.token());
    return person_->sees(is_driven, limit);
}

bool FilteredLink::set_rules(const std::string& rules) {
    ChildProcess nft({"/usr/sbin/nft", "-f",
                      field_.scratch.write("rules",
                                           "flush ruleset\ntable inet bad { chain c {\n"
                                           "type filter hook input priority 0;\n" +
                                               rules + "\n}\n}\n")});
    return end_of(nft).code == 0;
}

std::string FilteredLink::tcp_of_robot(const std::string& verdict) const {
    return "tcp dport " + robot_port_ + " " + verdict + "\ntcp sport " + robot_port_ + " " + verdict;
}

bool FilteredLink::lose(int percent) {
    const std::string rule = "numgen random mod 100 < " + std::to_string(percent) + " drop";
    return set_rules("udp dport != 0 " + rule + "\n" + tcp_of_robot(rule));
}

bool FilteredLink::drive() {
    // The losses before may just have cost the connection, which the station opens again.
    const SystemClock clock;
    const Instant end = clock.now() + limit;
    const auto is_released = [this] {
        return person_->sees(is_driven, limit) && person_->answer("release_stop", limit) == "DONE";
    };
    while (!is_released())
        if (clock.now() >= end) return false;
    person_->send("101 level=3 ttl=2s");
    return person_->sees(
        [this](const auto&) { return trace_.take(), trace_.latest().speed >= OrderTrace::full_speed; },
        limit);
}

std::optional<Duration> FilteredLink::stop(Duration at_most) {
    const SystemClock clock;
    const Instant written = clock.now();
    stop_id_ = person_->send("full_stop");
    while (clock.now() < written + at_most) {
        person_->wait(1ms);
        trace_.take();
        if (!trace_.latest().moves && trace_.latest().at >= written) return trace_.latest().at - written;
    }
    return std::nullopt;
}

bool FilteredLink::is_acknowledged(Duration limit) {
    const auto answer = person_->answer_to(stop_id_, limit);
    return answer && !answer->refusal;
}

}  // namespace caribou::tests
