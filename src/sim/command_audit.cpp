#include "sim/command_audit.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "link/command_table.hpp"
#include "loop/duration_text.hpp"

namespace caribou::sim {
namespace {

/// Returns whether a robot may give the lease to the sender of this command.
bool takes_lease(link::CommandCode code) {
    using enum link::CommandCode;
    return link::is_motion(code) || code == release_stop || code == dock || code == set_run_mode ||
           code == go_to_run_mode || code == take_lease;
}

}  // namespace

void CommandAudit::on_read(StreamNumber stream, ByteView bytes) {
    Connection& connection = connections_[stream];
    connection.in.add(bytes);
    // The robot handles malformed data by closing the connection.
    for (auto message = connection.in.next(); message && *message; message = connection.in.next()) {
        if (const auto* command = std::get_if<link::Command>(&**message)) take(stream, *command);
        if (const auto* auth = std::get_if<link::Auth>(&**message))
            connection.claims = !auth->send_to.empty();
        if (station_ == stream) heard_station_ = clock_.now();
    }
}

void CommandAudit::on_written(StreamNumber stream, ByteView bytes) {
    Connection& connection = connections_[stream];
    connection.out.add(bytes);
    for (auto message = connection.out.next(); message && *message; message = connection.out.next()) {
        if (const auto* welcome = std::get_if<link::Welcome>(&**message)) {
            connection.role = welcome->role;
            // Sent with the authentication, before it was answered.
            for (const auto& [id, asked] : connection.commands)
                if (listener_ && asked.command) listener_->on_command(stream, *asked.command);
            if (!connection.claims) continue;
            station_ = stream;
            heard_station_ = clock_.now();
        }
        // The first of a connection follows the welcome, whatever the state of the threads.
        if (std::holds_alternative<link::Heartbeat>(**message) && std::exchange(connection.has_beaten, true))
            last_beat_ = clock_.now();
        if (const auto* answer = std::get_if<link::Answer>(&**message)) take(stream, *answer);
    }
}

void CommandAudit::on_gone(StreamNumber stream) {
    connections_.erase(stream);
    last_gone_ = clock_.now();
    if (station_ == stream) station_.reset();
    if (driver_ == stream) give_lease({});
    if (listener_) listener_->on_gone(stream);
}

void CommandAudit::take(StreamNumber stream, const link::Command& command) {
    Connection& connection = connections_[stream];
    Asked& asked = connection.commands[command.id.value];
    ++asked.times;
    asked.last = clock_.now();
    asked.code = command.code;
    asked.halts = link::is_halt(command);
    asked.command = command;
    asked.unleased = driver_ && driver_ != stream;
    connection.may_hold_lease |= takes_lease(command.code);
    ++commands_;
    if (trace_)
        trace_(fmt::format("command {} on connection {}: {}", command.id.value, stream.value,
                           to_string(command)));
    if (listener_ && connection.role) listener_->on_command(stream, command);
}

void CommandAudit::take(StreamNumber stream, const link::Answer& answer) {
    Connection& connection = connections_[stream];
    if (trace_) trace_(fmt::format("command {} is answered: {}", answer.id.value, to_string(answer)));
    const auto found = connection.commands.find(answer.id.value);
    if (found == connection.commands.end())
        return find(fmt::format("answered {}, which was never sent: {}", answer.id.value, to_string(answer)));
    Asked& asked = found->second;
    if (!answer.refusal) judge(stream, asked);
    if (!answer.is_final()) return;
    asked.judged = true;
    if (answer.refusal) ++refused_;
    if (answer.refusal == link::Refusal::no_lease) check_lease_refusal(stream, asked);
    if (!answer.refusal && listener_ && asked.command) listener_->on_done(stream, *asked.command, asked.last);
    if (!answer.refusal && asked.code == link::CommandCode::release_lease) connection.may_hold_lease = false;
    if (!answer.refusal && takes_lease(asked.code)) connection.may_hold_lease = true;
    asked.command.reset();
    if (++asked.answered > asked.times)
        find(fmt::format("answered {} once too often: {}", answer.id.value, to_string(answer)));
}

void CommandAudit::judge(StreamNumber stream, Asked& asked) {
    if (std::exchange(asked.judged, true)) return;
    const link::CommandRow* const row = link::find_command(asked.code);
    if (row == nullptr) return find("carried out an invalid command");
    const auto& role = connections_[stream].role;
    if (!role) return find(fmt::format("carried out {} for a peer without a welcome", row->name));
    if (asked.halts) return;  // for everyone, like a full stop
    if (!link::may(*role, row->needs))
        find(fmt::format("carried out {} for the role {}", row->name, to_string(*role)));
    if (asked.code == link::CommandCode::release_lease && driver_ == stream) give_lease({});
    if (asked.code == link::CommandCode::take_lease) give_lease(stream);
    if (!link::is_motion(asked.code)) return;
    if (asked.unleased) find(fmt::format("carried out {} while another peer held the lease", row->name));
    if (!driver_) give_lease(stream);
}

void CommandAudit::check_lease_refusal(StreamNumber stream, const Asked& asked) {
    // The robot may have read this before it noticed that the other connection has ended.
    constexpr Duration settle = std::chrono::milliseconds(100);
    if (asked.code == link::CommandCode::release_lease) return;
    if (clock_.now() - std::max(last_gone_, stranger_until_) <= settle) return;
    for (const auto& [other, connection] : connections_)
        if (other != stream && connection.may_hold_lease) return;
    find("refused a command for the lease, which no other connection can hold");
}

void CommandAudit::give_lease(std::optional<StreamNumber> to) {
    driver_ = to;
    for (auto& [stream, connection] : connections_)
        if (!to || stream == *to)
            for (auto& entry : connection.commands) entry.second.unleased = false;
}

void CommandAudit::look() {
    for (auto& [stream, connection] : connections_)
        for (auto& [id, asked] : connection.commands)
            if (asked.answered < asked.times && clock_.now() - asked.last > limit_of(asked.code)) {
                const link::CommandRow* const row = link::find_command(asked.code);
                find(fmt::format("command {} ({}) has had no final answer for {}", id,
                                 row ? row->name : "unknown", duration_text(limit_of(asked.code))));
                asked.answered = asked.times;
            }
}

Duration CommandAudit::limit_of(link::CommandCode code) {
    const bool drives_far = code == link::CommandCode::dock || code == link::CommandCode::go;
    return drives_far ? link::dock_limit + limit : limit;
}

void CommandAudit::find(std::string what) {
    constexpr std::size_t most = 20;
    if (findings_.size() < most) findings_.push_back(std::move(what));
}

}  // namespace caribou::sim
