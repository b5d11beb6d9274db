#include "cubes/comms.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::cubes {

template <class Call>
void CubeCommsComponent::tell(Call call) {
    for (LinkEvents* observer : std::vector(observers_))
        if (std::ranges::find(observers_, observer) != observers_.end()) call(*observer);
}

CubeCommsComponent::CubeCommsComponent(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
                                       CommsOptions options)
    : loop_(loop),
      radio_(radio),
      preferences_(preferences),
      log_(log),
      options_(std::move(options)),
      preferred_(preferences.load()),
      timer_(loop.make_timer([this] { on_deadline(); })),
      ending_(loop.make_timer([this] { tell([](LinkEvents& observer) { observer.on_link_ending(); }); })) {
    radio_.attach(this);
}

CubeCommsComponent::~CubeCommsComponent() {
    radio_.attach(nullptr);
    if (state_ == LinkState::scanning) radio_.stop_scan();
    if (has_radio_link_) std::ignore = radio_.disconnect();
}

Result<void> CubeCommsComponent::connect() { return begin(true, std::nullopt); }

Result<void> CubeCommsComponent::connect_to(CubeAddress address) {
    if (cube_ && cube_ != address)
        return fail(Code::wrong_state,
                    fmt::format("{} is connected; disconnect it first", to_string(*cube_)));
    return begin(true, address);
}

Result<void> CubeCommsComponent::look_around() {
    if (state_ == LinkState::connected || state_ == LinkState::connecting)
        return fail(Code::wrong_state, "the radio cannot scan while it holds a cube; disconnect first");
    // A new link that waits for the end of the old one scans by itself.
    if (state_ == LinkState::disconnecting && !wanted_)
        return fail(Code::wrong_state, "the radio is still disconnecting; scan when the link is closed");
    return begin(wanted_, only_);
}

Result<void> CubeCommsComponent::begin(bool wanted, std::optional<CubeAddress> only) {
    if (const RadioStatus status = radio_.status(); !status.ready())
        return fail(Code::unavailable, status.text);
    wanted_ = wanted;
    only_ = only;
    if (state_ != LinkState::idle) return {};  // in progress, or starts once the old link is closed
    const auto began = begin_scan();
    if (!began) wanted_ = false;
    return began;
}

Result<void> CubeCommsComponent::begin_scan() {
    seen_.clear();
    if (auto began = radio_.start_scan(); !began) return began;
    enter(LinkState::scanning, options_.scan);
    return {};
}

void CubeCommsComponent::disconnect() {
    wanted_ = false;
    if (state_ == LinkState::scanning) radio_.stop_scan();
    if (state_ == LinkState::connected) ending_->arm(loop_.clock().now());
    if (state_ != LinkState::idle && state_ != LinkState::disconnecting) begin_disconnecting();
}

void CubeCommsComponent::begin_disconnecting() {
    cube_.reset();
    enter(LinkState::disconnecting, Duration::zero());
    if (has_radio_link_) ask_radio_to_disconnect();
}

void CubeCommsComponent::ask_radio_to_disconnect() {
    if (const auto asked = radio_.disconnect(); !asked)
        log_.warning(
            fmt::format("the radio did not disconnect, and is asked again: {}", asked.error().message));
    timer_->arm(loop_.clock().now() + options_.disconnect_retry);
}

Result<void> CubeCommsComponent::send(const CubeMessage& message) {
    if (state_ != LinkState::connected) return fail(Code::wrong_state, "no cube is connected");
    Bytes bytes = encode(message);
    auto written = radio_.write(Characteristic::app_write, bytes);
    trace_.add({loop_.clock().now(), TracedMessage::Direction::to_cube, std::move(bytes)});
    return written;
}

void CubeCommsComponent::on_status(const RadioStatus& status) {
    if (status.ready()) return;
    log_.warning(fmt::format("the radio is {}: {}", to_string(status.kind), status.text));
    if (state_ == LinkState::scanning) fail_attempt({Code::unavailable, status.text});
}

void CubeCommsComponent::on_advertisement(const Advertisement& advertisement) {
    seen_[advertisement.address] = advertisement;
    if (state_ != LinkState::scanning || !wanted_ || advertisement.address != awaited()) return;
    // The preferred cube must not be faster than the expected one.
    const bool waits = !only_ && loop_.clock().now() < expected_until_ && !is_expected(advertisement);
    if (!waits) end_scan();
}

void CubeCommsComponent::expect(std::string name) {
    expected_ = std::move(name);
    expected_until_ = loop_.clock().now() + options_.scan + options_.answer_limit;
}

bool CubeCommsComponent::is_expected(const Advertisement& advertisement) const {
    return loop_.clock().now() < expected_until_ && advertisement.name == expected_;
}

std::optional<CubeAddress> CubeCommsComponent::awaited() const {
    if (only_) return only_;
    const auto beside =
        std::ranges::find_if(seen_, [this](const auto& seen) { return is_expected(seen.second); });
    return beside != seen_.end() ? beside->first : preferred_;
}

void CubeCommsComponent::end_scan() {
    radio_.stop_scan();
    if (!wanted_) return enter(LinkState::idle);
    if (const auto address = awaited(); address && seen_.contains(*address)) return link_to(*address);
    if (only_)
        return fail_attempt({Code::not_found, fmt::format("the cube {} is not in range", to_string(*only_))});
    if (seen_.empty())
        return fail_attempt({Code::not_found, "no cube is in range: bring one near, or change its battery"});
    // Ordered by address, so that of equally strong cubes the one with the lowest address is chosen.
    link_to(std::ranges::max_element(seen_, {}, [](const auto& seen) { return seen.second.rssi; })->first);
}

void CubeCommsComponent::link_to(CubeAddress address) {
    cube_ = address;
    step_ = Step::link;
    enter(LinkState::connecting, options_.link_limit);
    const auto began = radio_.connect(address);
    has_radio_link_ = began.has_value();
    if (!began) fail_attempt(began.error());
}

void CubeCommsComponent::on_connected() {
    if (state_ != LinkState::connecting) return;  // canceled: the radio is already disconnecting
    step_ = Step::version;
    enter(LinkState::connecting, options_.answer_limit);
    if (const auto asked = radio_.read(Characteristic::version); !asked) fail_attempt(asked.error());
}

void CubeCommsComponent::on_connect_failed(const Error& why) {
    has_radio_link_ = false;
    if (state_ == LinkState::connecting)
        fail_attempt(why);
    else if (state_ == LinkState::disconnecting)
        on_closed(why);
}

void CubeCommsComponent::on_disconnected(const Error& why) {
    has_radio_link_ = false;
    if (state_ == LinkState::connecting)
        fail_attempt(why);
    else
        on_closed(why);
}

void CubeCommsComponent::on_value(Characteristic from, ByteView value) {
    if (from == Characteristic::version && state_ == LinkState::connecting && step_ != Step::link)
        return take_version(std::string(text_of(value)));
    if (from != Characteristic::app_read || state_ != LinkState::connected) return;
    trace_.add({loop_.clock().now(), TracedMessage::Direction::from_cube, Bytes(value.begin(), value.end())});
    const auto message = decode(value);
    if (message)
        tell([&](LinkEvents& observer) { observer.on_message(*message); });
    else
        log_.warning(fmt::format("the cube sent a malformed message: {}", message.error().message));
}

void CubeCommsComponent::take_version(std::string version) {
    version_ = std::move(version);
    const auto& firmware = options_.firmware;
    if (!firmware || version_ == firmware->version) return become_ready();
    if (step_ == Step::version) {
        log_.info(fmt::format("the cube has firmware {} and gets {}", version_, firmware->version));
        step_ = Step::firmware;
        written_ = 0;
        return write_firmware();
    }
    if (written_ >= firmware->image.size())
        fail_attempt({Code::refused, fmt::format("the cube was given firmware {}, and still has {}",
                                                 firmware->version, version_)});
}

void CubeCommsComponent::write_firmware() {
    const ByteView image = options_.firmware->image;
    enter(LinkState::connecting, options_.answer_limit);
    if (written_ == image.size()) return;  // the cube restarts and notifies its version
    const ByteView piece = image.subspan(written_, std::min(max_value_size, image.size() - written_));
    written_ += piece.size();
    if (const auto wrote = radio_.write(Characteristic::firmware, piece); !wrote) fail_attempt(wrote.error());
}

void CubeCommsComponent::on_written(Characteristic to) {
    if (to != Characteristic::firmware || state_ != LinkState::connecting || step_ != Step::firmware) return;
    write_firmware();
    if (state_ == LinkState::connecting) tell([](LinkEvents& observer) { observer.on_link_progress(); });
}

void CubeCommsComponent::become_ready() {
    enter(LinkState::connected);
    if (!preferred_) {
        if (const auto saved = set_preferred(cube_); !saved) log_.warning(saved.error().message);
    }
    tell([](LinkEvents& observer) { observer.on_link_connected(); });
}

void CubeCommsComponent::fail_attempt(const Error& why) {
    wanted_ = false;
    cube_.reset();
    if (state_ == LinkState::scanning) radio_.stop_scan();
    if (has_radio_link_)
        begin_disconnecting();
    else
        enter(LinkState::idle);
    tell([&](LinkEvents& observer) { observer.on_link_failed(why); });
}

/// Called when the radio has no link any more. If a new connection was requested meanwhile, it starts
/// immediately, and the end of the old one is not reported.
void CubeCommsComponent::on_closed(const Error& why) {
    const bool was_lost = state_ == LinkState::connected;
    cube_.reset();
    enter(LinkState::idle);
    if (was_lost) {
        wanted_ = false;
    } else if (wanted_) {
        if (const auto began = begin_scan(); !began) fail_attempt(began.error());
        return;
    }
    tell([&](LinkEvents& observer) { observer.on_link_closed(why); });
}

void CubeCommsComponent::on_deadline() {
    switch (state_) {
        case LinkState::scanning: return end_scan();
        case LinkState::connecting:
            return fail_attempt({Code::timed_out, step_ == Step::link ? "the radio has found no link in time"
                                                                      : "the cube did not answer in time"});
        case LinkState::disconnecting:
            if (has_radio_link_) return ask_radio_to_disconnect();
            return on_closed({Code::closed, "the attempt was given up"});
        default: return;
    }
}

void CubeCommsComponent::enter(LinkState state, std::optional<Duration> limit) {
    state_ = state;
    deadline_ = limit ? std::optional(loop_.clock().now() + *limit) : std::nullopt;
    deadline_ ? timer_->arm(*deadline_) : timer_->cancel();
}

Result<void> CubeCommsComponent::set_preferred(std::optional<CubeAddress> address) {
    preferred_ = address;
    return preferences_.save(address);
}

}  // namespace caribou::cubes
