#include "station/fleet.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::station {

Fleet::Fleet(Loop& loop, Network& network, FleetSettings settings, SessionEvents& events, Log& log)
    : loop_(loop),
      network_(network),
      settings_(std::move(settings)),
      events_(events),
      log_(log),
      timer_(loop.make_timer([this] { tick(); })) {
    if (settings_.keys) calls_.emplace(settings_.keys->keys);
    for (const auto& members : settings_.groups | std::views::values)
        settings_.robots.insert(members.begin(), members.end());
    for (const std::string& name : settings_.dial | std::views::keys) settings_.robots.insert(name);
    for (const std::string& name : settings_.robots) session_for(name);
}

Fleet::~Fleet() = default;

Result<Address> Fleet::listen(const Address& at) {
    auto bound = network_.bind(at, [this] { on_packet(); });
    if (!bound) return fail(std::move(bound.error()));
    datagram_ = std::move(*bound);
    if (settings_.session.send_to.empty()) settings_.session.send_to = to_string(datagram_->address());
    for (const auto& session : sessions_ | std::views::values) session->start();
    timer_->arm(loop_.clock().now() + RobotSession::tick_period);
    return datagram_->address();
}

void Fleet::tick() {
    timer_->arm(loop_.clock().now() + RobotSession::tick_period);
    for (const auto& session : sessions_ | std::views::values) session->tick();
    dial_robots();
    accept_earlier_calls();
    hang_up_unpaired(loop_.clock().now());
}

void Fleet::dial_robots() {
    if (farewell_) return;
    for (const auto& [name, at] : settings_.dial) {
        RobotSession* const session = find(name);
        if (!session || session->mode() != StationMode::wait) continue;
        if (!settings_.keys) {
            session->called(at, at.port);
        } else if (const auto key = settings_.keys->keys.named(name)) {
            session->called(at, at.port, &key->key);
        } else {
            session->cannot_connect(key.error().message);
            complain_once("dial " + name,
                          fmt::format("{} is not connected to: {}", name, key.error().message));
        }
    }
}

void Fleet::hang_up_unpaired(Instant now) {
    if (!settings_.keys || now - keys_checked_ < std::chrono::seconds(1)) return;
    keys_checked_ = now;
    for (const auto& session : sessions_ | std::views::values)
        if (const auto key = session->key(); key && !settings_.keys->keys.find(*key))
            session->hang_up("its key is not paired any more");
}

// Datagrams.

void Fleet::on_packet() {
    std::array<std::byte, link::LinkLimits::datagram + 1> bytes;
    for (int i = 0; i < 64; ++i) {  // then other handlers of the loop run
        const auto received = datagram_->receive(bytes);
        if (!received || !*received) return;
        take((*received)->from, ByteView(bytes).first((*received)->size));
    }
}

void Fleet::take(const Address& from, ByteView datagram) {
    counts_.datagrams += 1;
    auto letter = read(from, datagram);
    if (!letter) {
        refuse(from, letter.error());
        return follow_earlier_call(from, datagram);
    }
    if (const auto* call = std::get_if<link::ConnectToMe>(&letter->message))
        return take_call(from, *call, letter->key);
    const auto found = by_address_.find(from);
    RobotSession* const session = letter->key                  ? session_for(letter->key->name)
                                  : found == by_address_.end() ? nullptr
                                                               : found->second;
    if (!session) {
        counts_.foreign += 1;
        return;
    }
    session->came_from(from);
    if (const auto* telemetry = std::get_if<link::Telemetry>(&letter->message))
        session->heard(*telemetry);
    else if (const auto* report = std::get_if<link::ErrorReport>(&letter->message))
        session->heard(*report);
    else if (const auto* answer = std::get_if<link::Answer>(&letter->message))
        session->heard(*answer);
}

Result<Fleet::Letter> Fleet::read(const Address& from, ByteView datagram) {
    Bytes content(datagram.begin(), datagram.end());
    std::optional<link::PairedKey> key;
    if (calls_) {
        if (link::decode_datagram(datagram))
            return fail(Code::refused,
                        "it sends plainly, and robots of this station have a key; see `caribou pair`");
        const auto header = link::read_sealed_header(datagram);
        if (!header) return fail(header.error());
        if (const auto* boot = std::get_if<link::BootMark>(&header->mark)) {
            auto opened = calls_->open(boot->key, datagram);
            if (!opened) return fail(std::move(opened.error()));
            content = std::move(opened->content);
            key = std::move(opened->key);
        } else {
            auto opened = open_in_session(from, datagram);
            if (!opened) return fail(std::move(opened.error()));
            content = std::move(*opened);
        }
    }
    auto packet = link::decode_datagram(content);
    if (!packet) return fail(std::move(packet.error()));
    return Letter{std::move(packet->message), std::move(key)};
}

Result<Bytes> Fleet::open_in_session(const Address& from, ByteView datagram) {
    const auto found = by_address_.find(from);
    if (found == by_address_.end())
        return fail(Code::not_found, "a datagram of a robot that is not connected");
    return found->second->open(datagram);
}

void Fleet::refuse(const Address& from, const Error& why) {
    // Datagrams may arrive before the welcome of their session, or after its end.
    if (why.code == Code::wrong_state) {
        counts_.foreign += 1;
        return;
    }
    (why.code == Code::malformed ? counts_.malformed : counts_.refused) += 1;
    complain_once(from.host + why.message, fmt::format("{}: {}", to_string(from), why.message));
}

void Fleet::follow_earlier_call(const Address& from, ByteView datagram) {
    const auto header = link::read_sealed_header(datagram);
    const auto* const boot = header ? std::get_if<link::BootMark>(&header->mark) : nullptr;
    if (!calls_ || !boot) return;
    auto opened = calls_->open_earlier(boot->key, datagram, loop_.clock().now());
    if (!opened) return;
    const auto packet = link::decode_datagram(opened->content);
    const auto* const call = packet ? std::get_if<link::ConnectToMe>(&packet->message) : nullptr;
    if (!call) return;
    log_.warning(
        fmt::format("{}: its start has a lower number than the one before: its state was lost, or its "
                    "clock is in the past; it has to prove its key",
                    opened->key.name));
    take_call(from, *call, opened->key);
    if (RobotSession* const session = find(call->robot); session && session->mode() == StationMode::shake)
        earlier_[session] = boot->key;
}

void Fleet::accept_earlier_calls() {
    std::erase_if(earlier_, [&](const auto& entry) {
        if (is_running(entry.first->mode())) calls_->accept_earlier(entry.second);
        return entry.first->mode() != StationMode::shake;
    });
}

void Fleet::take_call(const Address& from, const link::ConnectToMe& call,
                      const std::optional<link::PairedKey>& key) {
    if (farewell_) return;
    if (key && key->name != call.robot)
        return refuse(from, {Code::refused, fmt::format("it calls itself {}, and has the key of {}",
                                                        call.robot, key->name)});
    RobotSession* const session = session_for(call.robot);
    if (!session) return;
    if (call.receive_port == 0) {  // only names the sender of telemetry without keys (CM1)
        if (!key) receive_from(from, *session);
        return;
    }
    // A robot that has moved to another address is accepted once its old connection is silent.
    if (!session->called(from, call.receive_port, key ? &key->key : nullptr)) {
        if (session->address() != Address::ip(from.host, call.receive_port)) {
            counts_.doubled += 1;
            complain_once("twice " + call.robot,
                          fmt::format("{} calls itself {}, which is connected from {}; that one stays",
                                      to_string(from), call.robot, to_string(*session->address())));
        }
        return;
    }
    receive_from(from, *session);
}

void Fleet::receive_from(const Address& from, RobotSession& session) {
    if (const auto known = by_address_.find(from); known != by_address_.end() && known->second == &session)
        return;
    std::erase_if(by_address_, [&](const auto& entry) { return entry.second == &session; });
    by_address_[from] = &session;
}

RobotSession* Fleet::session_for(const std::string& name) {
    if (const auto found = sessions_.find(name); found != sessions_.end()) return found->second.get();
    const bool unknown = settings_.only_known && !settings_.robots.contains(name);
    const bool no_room = sessions_.size() >= settings_.max_robots;
    if (name.empty() || unknown || no_room) {
        counts_.turned_away += 1;
        complain_once(no_room ? "room" : name,
                      no_room ? fmt::format("{} robots are here: {} is turned away", sessions_.size(), name)
                              : fmt::format("`{}` is not a robot of this station, and is refused", name));
        return nullptr;
    }
    const RobotWays ways{network_, settings_.keys ? &settings_.keys->streams : nullptr,
                         [this](const Address& to, ByteView datagram) {
                             if (datagram_) std::ignore = datagram_->send(to, datagram);
                         }};
    auto session = std::make_unique<RobotSession>(name, loop_, ways, settings_.session, events_, log_);
    RobotSession* const made = sessions_.emplace(name, std::move(session)).first->second.get();
    if (datagram_) made->start();
    return made;
}

void Fleet::complain_once(std::string_view about, std::string_view text) {
    constexpr std::size_t most = 1000;
    if (complained_.size() < most && complained_.emplace(about).second) log_.warning(text);
}

Refusals Fleet::refusals() const {
    Refusals all{.datagrams = counts_.malformed + counts_.refused,
                 .robots = counts_.turned_away,
                 .doubles = counts_.doubled};
    for (const auto& session : sessions_ | std::views::values) all.handshakes += session->failed_handshakes();
    return all;
}

// Robots and groups.

RobotSession* Fleet::find(std::string_view name) {
    const auto found = sessions_.find(name);
    return found == sessions_.end() ? nullptr : found->second.get();
}

Result<RobotSession*> Fleet::require(std::string_view name) {
    if (RobotSession* const session = find(name)) return session;
    std::vector<std::string> names = paired();
    if (std::ranges::find(names, name) != names.end())
        if (RobotSession* const session = session_for(std::string(name))) return session;
    for (const std::string& known : sessions_ | std::views::keys)
        if (std::ranges::find(names, known) == names.end()) names.push_back(known);
    return fail(Code::not_found, fmt::format("there is no robot `{}` here{}", name, instead_of(name, names)));
}

std::vector<std::string> Fleet::paired() const {
    if (!settings_.keys) return {};
    std::vector<std::string> names = settings_.keys->keys.names();
    if (settings_.only_known)
        std::erase_if(names, [&](const std::string& name) { return !settings_.robots.contains(name); });
    return names;
}

std::vector<std::string> Fleet::groups_of(std::string_view robot) const {
    std::vector<std::string> names;
    for (const auto& [group, members] : settings_.groups)
        if (members.contains(std::string(robot))) names.push_back(group);
    return names;
}

Result<std::vector<RobotSession*>> Fleet::members(std::string_view group) {
    std::vector<RobotSession*> all;
    const auto found = settings_.groups.find(group);
    if (!group.empty() && found == settings_.groups.end()) {
        std::vector<std::string> names;
        for (const std::string& known : settings_.groups | std::views::keys) names.push_back(known);
        return fail(Code::not_found,
                    fmt::format("there is no group `{}`{}", group, instead_of(group, names)));
    }
    for (const auto& [name, session] : sessions_)
        if (group.empty() || found->second.contains(name)) all.push_back(session.get());
    return all;
}

Result<void> Fleet::stop_all(std::string_view group, const Asker& asker,
                             std::function<void(Stopped)> on_done) {
    if (!farewell_)
        for (const std::string& name : paired()) session_for(name);
    const auto robots = members(group);
    if (!robots) return fail(robots.error());
    if (robots->empty() && !group.empty())
        return fail(Code::not_found, fmt::format("no robot was stopped: the group `{}` has none", group));
    struct Count {
        std::size_t open;
        Stopped result{};
    };
    // One more than there are robots, so that it cannot end before all stops have been sent.
    const auto count = std::make_shared<Count>(robots->size() + 1);
    const auto settle = [count, on_done = std::move(on_done)] {
        if (--count->open == 0) on_done(std::move(count->result));
    };
    for (RobotSession* const robot : *robots)
        robot->send({.code = link::CommandCode::full_stop}, asker,
                    [count, settle, name = robot->name()](const link::Answer& answer) {
                        if (!answer.is_final()) return;
                        if (answer.refusal)
                            count->result.not_done.push_back(fmt::format("{}: {}", name, to_string(answer)));
                        else
                            count->result.done += 1;
                        settle();
                    });
    settle();
    return {};
}

void Fleet::forget(std::string_view asker) {
    for (const auto& session : sessions_ | std::views::values) session->forget(asker);
}

void Fleet::shut_down(Task on_done) {
    if (farewell_) return;
    farewell_ = loop_.make_timer([this, done = std::move(on_done)]() mutable {
        // Robots that have not confirmed their stops in time are refused by hang_up(), which ends stop_all().
        if (!done) return;
        for (const auto& session : sessions_ | std::views::values) session->hang_up("the station ends");
        // Written data gets a turn of the loop to be sent.
        loop_.post(std::exchange(done, {}));
    });
    farewell_->arm(loop_.clock().now() + settings_.stop_limit);
    std::ignore =
        stop_all("", {settings_.session.station, link::Role::admin}, [this](const Stopped& stopped) {
            for (const std::string& robot : stopped.not_done)
                log_.info(fmt::format("not stopped: {}", robot));
            farewell_->arm(loop_.clock().now());
        });
}

}  // namespace caribou::station
