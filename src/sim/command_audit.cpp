#include "sim/command_audit.hpp"

#include <fmt/format.h>

namespace caribou::sim {

void CommandAudit::on_read(StreamNumber stream, ByteView bytes) {
    Connection& connection = connections_[stream];
    connection.in.add(bytes);
    // What is malformed ends the connection, which is the robot's affair.
    for (auto message = connection.in.next(); message && *message; message = connection.in.next()) {
        const auto* command = std::get_if<link::Command>(&**message);
        if (command == nullptr) continue;
        Asked& asked = connection.commands[command->id.value];
        ++asked.times;
        asked.last = clock_.now();
        ++commands_;
    }
}

void CommandAudit::on_written(StreamNumber stream, ByteView bytes) {
    Connection& connection = connections_[stream];
    connection.out.add(bytes);
    for (auto message = connection.out.next(); message && *message; message = connection.out.next()) {
        const auto* answer = std::get_if<link::Answer>(&**message);
        if (answer == nullptr) continue;
        const auto asked = connection.commands.find(answer->id.value);
        if (asked == connection.commands.end()) {
            find(fmt::format("answered {}, which nobody asked: {}", answer->id.value, to_string(*answer)));
            continue;
        }
        if (!answer->is_final()) continue;
        if (answer->refusal) ++refused_;
        if (++asked->second.answered > asked->second.times)
            find(fmt::format("answered {} once too often: {}", answer->id.value, to_string(*answer)));
    }
}

void CommandAudit::look() {
    for (auto& [stream, connection] : connections_)
        for (auto& [id, asked] : connection.commands)
            if (asked.answered < asked.times && clock_.now() - asked.last > limit) {
                find(fmt::format("command {} has had no final answer for a minute", id));
                asked.answered = asked.times;
            }
}

void CommandAudit::find(std::string what) {
    constexpr std::size_t most = 20;
    if (findings_.size() < most) findings_.push_back(std::move(what));
}

}  // namespace caribou::sim
