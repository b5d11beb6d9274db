#include "caribou/pshare_app.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bus/app_frame.hpp"
#include "kit/program/key_place.hpp"
#include "platform/resolved_address.hpp"

namespace caribou::app {
namespace {

constexpr std::size_t largest_datagram = 128_KiB;
constexpr Duration summary_interval = std::chrono::seconds(1);
/// After this many datagrams, mail and signals have their turn.
constexpr int most_per_turn = 64;

bus::NotifyOptions options_of(const wire::MessageView& value) {
    return {.aux = value.aux, .time = value.time, .source = value.source, .community = value.community};
}

}  // namespace

PshareApp::PshareApp(bus::AppFrame& frame, Network& network)
    : App(frame),
      network_(network),
      group_(bus::PshareChannels{}.group),
      base_port_(bus::PshareChannels{}.base_port),
      buffer_(largest_datagram) {
    auto& words = parameters();
    // The channels may be configured further down; they matter for the addresses only.
    words.add("Output", output_, bus::check_by([](auto text) { return bus::parse_pshare_output(text, {}); }),
              "a value to send: src_name=X, route=HOST:PORT & multicast_N, or X -> HOST:PORT");
    words.add("Input", input_, bus::check_by([](auto text) { return bus::parse_pshare_input(text, {}); }),
              "an address to receive at: route=HOST:PORT, white_list=NODE_*&DEPLOY");
    words.add_final_check("Output", [this](std::string_view text) -> Result<void> {
        const auto outputs = bus::parse_pshare_output(text, channels());
        for (const bus::PshareOutput& output : outputs.value_or(bus::PshareOutputs{})) {
            std::vector<std::string> keys;
            if (!output.key.empty()) keys.push_back(output.key);
            if (auto permitted = check_route(output.to, keys, false); !permitted) return permitted;
        }
        return {};
    });
    words.add_final_check("Input", [this](std::string_view text) -> Result<void> {
        const auto inputs = bus::parse_pshare_input(text, channels());
        for (const bus::PshareInput& input : inputs.value_or(bus::PshareInputs{}))
            if (auto permitted = check_route(input.at, input.keys, true); !permitted) return permitted;
        return {};
    });
    words.add("multicast_address", group_, "group of the channels multicast_N");
    words.add("multicast_base_port", base_port_, {1, 65535}, "port of multicast_0");
    words.add("keys", keys_,
              "folder of the keys of sealed routes (else $CARIBOU_KEYS, else ~/.config/caribou/keys)");
    words.add("insecure_lan", insecure_lan_,
              "permit addresses of other machines, and channels: without any protection");
    words.add("forward", forward_, "send values of other communities on, too: they may loop");
    words.add("verbose", verbose_, "log every value");
    appcast([this] { return report_text(); });
}

PshareApp::~PshareApp() = default;

bus::AppSettings PshareApp::defaults() {
    return {.name = "pShare",
            .unknown_keys = bus::UnknownKeys::warn,
            .app_tick = 40,
            .max_app_tick = 0,
            .iterate_mode = static_cast<int>(bus::IterateMode::regular_iterate_and_comms_driven_mail),
            .sort_mail_by_time = false};
}

bus::PshareChannels PshareApp::channels() const { return {group_, base_port_}; }

Result<void> PshareApp::on_start_up() {
    share_ = std::make_unique<bus::Pshare>(forward_);
    for (const std::string& text : output_) {
        const auto outputs = bus::parse_pshare_output(text, channels());
        auto added = outputs ? add(*outputs) : fail(outputs.error());
        if (!added)
            return fail(added.error().code, fmt::format("Output = {}: {}", text, added.error().message));
    }
    for (const std::string& text : input_) {
        const auto inputs = bus::parse_pshare_input(text, channels());
        auto added = inputs ? add(*inputs) : fail(inputs.error());
        if (!added)
            return fail(added.error().code, fmt::format("Input = {}: {}", text, added.error().message));
    }
    return {};
}

Result<void> PshareApp::on_connect_to_server() {
    register_variable(command_variable());
    for (const auto& one : registrations_) {
        if (one.writer.empty())
            register_variable(one.variable);
        else
            register_wildcard(one.variable, one.writer);
    }
    next_summary_ = now();
    return {};
}

Result<void> PshareApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail)
        if (message.key == command_variable())
            obey(message);
        else
            send(message);
    flush();
    return {};
}

Result<void> PshareApp::iterate() {
    flush();
    if (!comms().connected() || now() < next_summary_) return {};
    next_summary_ = now() + summary_interval;
    notify("PSHARE_OUTPUT_SUMMARY", share_->output_summary());
    notify("PSHARE_INPUT_SUMMARY", share_->input_summary());
    return {};
}

std::string PshareApp::command_variable() const {
    std::string variable = name() + "_CMD";
    std::ranges::transform(variable, variable.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return variable;
}

Result<bus::PshareAddress> PshareApp::checked(bus::PshareAddress address, bool is_sealed) const {
    auto number = resolved_address(address.at);
    if (!number) return fail(std::move(number.error()));
    address.at = std::move(*number);
    if (!address.at.is_loopback() && !insecure_lan_ && !is_sealed)
        return fail(
            Code::refused,
            fmt::format("{} is on the network, where values are neither encrypted nor authenticated: "
                        "seal the route with `key=NAME`, or add `insecure_lan = true` to the block if "
                        "that is acceptable",
                        address.text()));
    return address;
}

Result<void> PshareApp::check_route(const bus::PshareAddress& address, const std::vector<std::string>& keys,
                                    bool is_input) const {
    auto permitted = checked(address, !keys.empty());
    // The name of a machine that is off, or not on this network, is not a fault of the file.
    if (!permitted && permitted.error().code == Code::refused) return fail(std::move(permitted.error()));
    for (const std::string& key : keys)
        if (const auto peer = peer_of(key, is_input ? std::nullopt : std::optional(address.at)); !peer)
            return fail(peer.error());
    return {};
}

Result<void> PshareApp::add(const bus::PshareOutputs& outputs) {
    for (bus::PshareOutput output : outputs) {
        auto to = checked(output.to, !output.key.empty());
        if (!to) return fail(std::move(to.error()));
        output.to = std::move(*to);
        if (auto prepared = prepare(output); !prepared) return prepared;
        auto registration = share_->add(output, now());
        if (!registration) return fail(std::move(registration.error()));
        registrations_.push_back(std::move(*registration));
    }
    return {};
}

Result<SealedPeer> PshareApp::peer_of(const std::string& key_name, std::optional<Address> to) const {
    const auto key = KeyPlace().folder(keys_).read(key_name);
    if (!key) return fail(key.error());
    // Whoever seals with the key may write variables here.
    if (!to && !link::may(key->role, link::Role::drive))
        return fail(
            Code::refused,
            fmt::format("the key {} may only observe, and a sealed input writes variables", key_name));
    return SealedPeer(key_name, key->key, std::move(to));
}

Result<void> PshareApp::prepare(const bus::PshareOutput& output) {
    const std::string address = output.to.text();
    if (output.key.empty()) {
        if (!sender_) {
            auto socket = network_.bind(Address::ip("0.0.0.0", 0), [] {});
            if (!socket) return fail(std::move(socket.error()));
            sender_ = std::move(*socket);
        }
        const auto paced = paced_.find(address);
        if (output.budget > 0 && (paced == paced_.end() || paced->second.budget != output.budget))
            paced_.insert_or_assign(address, Paced{output.to.at, output.budget,
                                                   bus::PacedQueue(output.budget, bus::udp_overhead)});
        return {};
    }
    const std::pair place(address, output.key);
    auto route = sealed_.find(place);
    if (route == sealed_.end()) {
        auto peer = peer_of(output.key, output.to.at);
        if (!peer) return fail(std::move(peer.error()));
        auto socket =
            network_.bind(Address::ip("0.0.0.0", 0), [this, place] { receive_answers(sealed_.at(place)); });
        if (!socket) return fail(std::move(socket.error()));
        route = sealed_.emplace(place, Sealed{std::move(*socket), std::move(*peer)}).first;
    }
    if (output.budget > 0 && route->second.peer.line().bytes_per_second() != output.budget)
        route->second.peer.line().limit(output.budget);
    return {};
}

Result<void> PshareApp::add(const bus::PshareInputs& inputs) {
    for (bus::PshareInput input : inputs) {
        auto at = checked(input.at, !input.keys.empty());
        if (!at) return fail(std::move(at.error()));
        input.at = std::move(*at);
        std::vector<SealedPeer> peers;
        for (const std::string& key : input.keys) {
            auto peer = peer_of(key, std::nullopt);
            if (!peer) return fail(std::move(peer.error()));
            peers.push_back(std::move(*peer));
        }
        const std::size_t number = receivers_.size();
        auto socket = network_.bind(input.at.at, [this, number] { receive(number); });
        if (!socket) return fail(std::move(socket.error()));
        if (input.at.at.port == 0) input.at.at = socket->get()->address();
        const auto index = share_->add(input);
        if (!index) return fail(index.error());
        receivers_.push_back({*index, std::move(*socket), std::move(peers)});
    }
    return {};
}

void PshareApp::obey(const wire::Message& command) {
    // A pattern that matches this variable has the broker deliver its latest value again.
    if (!is_new(command) || command == last_command_) return;
    last_command_ = command;
    const auto parsed = bus::parse_pshare_command(command.payload, channels());
    const std::size_t before = registrations_.size();
    auto done = parsed ? std::visit([this](const auto& all) { return add(all); }, *parsed)
                       : Result<void>(fail(parsed.error()));
    for (std::size_t i = before; i < registrations_.size(); ++i) {
        const auto& one = registrations_[i];
        if (one.writer.empty())
            register_variable(one.variable);
        else
            register_wildcard(one.variable, one.writer);
    }
    if (!done)
        log().warning(fmt::format("{} = {}, from {}: {}", command.key, command.payload, command.source,
                                  done.error().message));
}

void PshareApp::send(const wire::Message& value) {
    for (const auto& parcel : share_->outgoing(wire::view(value), comms().community(), now())) send(parcel);
}

void PshareApp::send(const bus::Pshare::Parcel& parcel) {
    const bus::PshareOutput& route = parcel.route;
    if (verbose_) log().info(fmt::format("{} is sent to {}", parcel.name, route.to.text()));
    bool replaces = false;
    if (!route.key.empty())
        replaces = sealed_.at({route.to.text(), route.key})
                       .peer.line()
                       .offer(parcel.name, route.priority, parcel.bytes);
    else if (const auto paced = paced_.find(route.to.text()); paced != paced_.end())
        replaces = paced->second.queue.offer(parcel.name, route.priority, parcel.bytes);
    else
        report(sender_->send(route.to.at, parcel.bytes));
    if (replaces) share_->count_replaced(parcel);
}

void PshareApp::flush() {
    for (auto& [address, paced] : paced_)
        while (const auto message = paced.queue.take(now())) report(sender_->send(paced.to, *message));
    for (auto& [place, route] : sealed_) report(route.peer.flush(*route.socket, now()));
    for (Receiver& receiver : receivers_)
        for (SealedPeer& peer : receiver.peers) report(peer.flush(*receiver.socket, now()));
}

/// A datagram that the system does not send is lost like one on the way.
void PshareApp::report(const Result<void>& sent) {
    if (!sent) add_run_warning(sent.error().message);
}

void PshareApp::receive(std::size_t number) {
    Receiver& receiver = receivers_[number];
    for (int i = 0; i < most_per_turn; ++i) {
        const auto packet = receiver.socket->receive(buffer_);
        if (!packet || !*packet) break;
        receive(receiver, **packet);
    }
}

void PshareApp::receive(Receiver& receiver, const Datagram::Received& packet) {
    const ByteView datagram = ByteView(buffer_).first(packet.size);
    if (receiver.peers.empty()) return accept(receiver.input, datagram, packet.from);
    const auto header = link::read_sealed_header(datagram);
    const auto peer = std::ranges::find_if(
        receiver.peers, [&](const SealedPeer& one) { return header && one.is_for_us(*header); });
    auto messages = peer == receiver.peers.end()
                        ? fail(Code::refused, "")
                        : peer->receive(*receiver.socket, packet.from, datagram, now());
    if (!messages) {
        if (header) warn_of_other_key(packet.from);
        return share_->count_not_sealed();
    }
    for (const Bytes& message : *messages) accept(receiver.input, message, packet.from);
}

void PshareApp::warn_of_other_key(const Address& from) {
    if (std::exchange(warned_of_other_key_, true)) return;
    const std::string text = fmt::format("datagrams sealed with another key arrive from {}", to_string(from));
    log().warning(text + "; compare the keys of both ends with `caribou pair`");
    add_run_warning(text);
}

void PshareApp::receive_answers(Sealed& route) {
    for (int i = 0; i < most_per_turn; ++i) {
        const auto packet = route.socket->receive(buffer_);
        if (!packet || !*packet) break;
        std::ignore = route.peer.receive(*route.socket, (*packet)->from,
                                         ByteView(buffer_).first((*packet)->size), now());
    }
    report(route.peer.flush(*route.socket, now()));
}

void PshareApp::accept(std::size_t input, ByteView message, const Address& from) {
    const auto value = share_->incoming(input, message);
    if (!value) return;
    if (verbose_) log().info(fmt::format("{} from {}", value->key, to_string(from)));
    publish(*value);
}

std::string PshareApp::report_text() const {
    std::string text = share_->table();
    for (const auto& [place, route] : sealed_) {
        const auto& line = route.peer.line();
        text += fmt::format("Sealed to {} with {}: {}, {} waiting, {} sent, {} repeated\n", place.first,
                            place.second, line.answers(now()) ? "answers" : "silent", line.waiting(),
                            line.counts().sent, line.counts().repeated);
    }
    for (const Receiver& receiver : receivers_)
        for (const SealedPeer& peer : receiver.peers)
            text += fmt::format("Sealed from {}: {}\n", peer.key_name(),
                                peer.line().answers(now()) ? "answers" : "silent");
    for (const auto& [address, paced] : paced_)
        text +=
            fmt::format("Budget of {}: {} B/s, {} waiting\n", address, paced.budget, paced.queue.waiting());
    return text;
}

void PshareApp::publish(const wire::MessageView& value) {
    const bus::NotifyOptions with = options_of(value);
    if (value.is_number())
        notify(value.key, value.value, with);
    else if (value.is_string())
        notify(value.key, value.payload, with);
    else
        notify(value.key, bytes_of(value.payload), with);
}

}  // namespace caribou::app
