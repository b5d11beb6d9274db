#include "field/operator.hpp"

#include <fmt/format.h>

namespace caribou::tests {

Operator::Operator(const std::string& at, const std::string& token, const std::string& name)
    : channel_(dial_web_socket(loop_,
                               {.at = Address::parse(at).value(),
                                .target = "/api/v1/stream?name=" + name,
                                .authorization = token.empty() ? "" : "Bearer " + token},
                               *this)) {}

bool Operator::measure_clock(Duration limit) {
    channel_->send(fmt::format(R"({{"type": "heartbeat", "sent": {:.6f}}})", loop_.clock().boot_seconds()));
    return loop_.run_until([&] { return clock_.theirs_at(0).has_value(); }, limit);
}

std::uint64_t Operator::send(const std::string& command) {
    const auto given = clock_.theirs_at(loop_.clock().boot_seconds());
    return send_with(command, given ? fmt::format(R"("given": {:.6f})", *given) : R"("age": 0)");
}

std::uint64_t Operator::send_from_future(const std::string& command, Duration ahead) {
    const double now = clock_.theirs_at(loop_.clock().boot_seconds()).value_or(0);
    return send_with(command, fmt::format(R"("given": {:.6f})", now + to_seconds(ahead)));
}

std::uint64_t Operator::send_with(const std::string& command, const std::string& field) {
    channel_->send(fmt::format(R"({{"type": "command", "id": {}, "robot": "rover", "command": "{}", {}}})",
                               ++last_id_, command, field));
    return last_id_;
}

std::uint64_t Operator::send_route(const std::string& action, const std::string& points) {
    channel_->send(fmt::format(
        R"({{"type": "route", "id": {}, "robot": "rover", "action": "{}", "route": "rounds = 0\npoints = {}"}})",
        ++last_id_, action, points));
    return last_id_;
}

std::uint64_t Operator::start_again() {
    channel_->send(fmt::format(R"({{"type": "start_again", "id": {}, "robot": "rover"}})", ++last_id_));
    return last_id_;
}

std::string Operator::answer(const std::string& command, Duration limit) {
    const auto answer = answer_to(send(command), limit);
    return answer ? station::to_string(*answer) : "no answer";
}

std::string Operator::release(Duration limit) {
    for (const Instant end = loop_.clock().now() + limit;; wait(std::chrono::milliseconds(10))) {
        const auto answer = answer_to(send("release_stop"), limit);
        if (!answer) return closed_.empty() ? "no answer" : "no answer; " + closed_;
        if (answer->refusal != data::Refusal::expired || loop_.clock().now() >= end)
            return station::to_string(*answer);
    }
}

std::optional<data::AnswerMessage> Operator::answer_to(std::uint64_t id, Duration limit) {
    loop_.run_until([&] { return answers_.contains(id) || !closed_.empty(); }, limit);
    const auto found = answers_.find(id);
    return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

bool Operator::sees(const std::function<bool(const station::RobotPicture&)>& is, Duration limit) {
    return loop_.run_until(
        [&] { return picture_.robots().contains("rover") && is(picture_.robots().find("rover")->second); },
        limit);
}

void Operator::wait(Duration time) {
    loop_.run_until([] { return false; }, time);
}

station::RobotPicture Operator::rover() const {
    const auto found = picture_.robots().find("rover");
    return found == picture_.robots().end() ? station::RobotPicture() : found->second;
}

void Operator::on_text(std::string_view text) {
    std::ignore = picture_.take(text);
    if (const auto reply = picture_.take_clock())
        clock_.learn(reply->sent, reply->at, loop_.clock().boot_seconds());
    for (data::AnswerMessage& answer : picture_.take_answers())
        if (answer.final) answers_[answer.id] = std::move(answer);
}

}  // namespace caribou::tests
