#include "field/operator.hpp"

#include <fmt/format.h>

namespace caribou::tests {

Operator::Operator(const std::string& at, const std::string& token)
    : channel_(dial_web_socket(loop_,
                               {.at = Address::parse(at).value(),
                                .target = "/api/v1/stream?name=operator",
                                .authorization = token.empty() ? "" : "Bearer " + token},
                               *this)) {}

bool Operator::measure_clock(Duration limit) {
    channel_->send(fmt::format(R"({{"type": "heartbeat", "sent": {:.6f}}})", loop_.clock().boot_seconds()));
    return loop_.run_until([&] { return clock_.theirs_at(0).has_value(); }, limit);
}

std::uint64_t Operator::send(const std::string& command) {
    const auto given = clock_.theirs_at(loop_.clock().boot_seconds());
    channel_->send(fmt::format(R"({{"type": "command", "id": {}, "robot": "rover", "command": "{}"{}}})",
                               ++last_id_, command,
                               given ? fmt::format(R"(, "given": {:.6f})", *given) : ""));
    return last_id_;
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
