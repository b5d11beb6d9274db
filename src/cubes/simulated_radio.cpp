#include "cubes/simulated_radio.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

constexpr Duration message_period = 30ms;
constexpr std::uint64_t messages_per_voltage = 33;
constexpr Duration firmware_pause = 200ms;  // the image is complete after this time without a write

}  // namespace

SimulatedRadio::SimulatedRadio(Loop& loop, SimulatedRadioOptions options)
    : loop_(loop),
      options_(options),
      random_(options.seed),
      scan_timer_(loop.make_timer([this] { advertise(); })),
      link_timer_(loop.make_timer([this] { advance_link(); })),
      answer_timer_(loop.make_timer([this] { answer(); })),
      stream_timer_(loop.make_timer([this] { stream(); })),
      firmware_timer_(loop.make_timer([this] { restart_cube(); })),
      status_timer_(loop.make_timer([this] {
          if (events_) events_->on_status(status_);
      })) {}

SimulatedRadio::~SimulatedRadio() = default;

SimulatedCube& SimulatedRadio::add_cube(SimulatedCubeOptions options) {
    return *cubes_.emplace_back(std::make_unique<SimulatedCube>(std::move(options)));
}

void SimulatedRadio::set_faults(RadioFaults faults) {
    faults_ = faults;
    if (!exchanges_.empty()) answer_timer_->arm(now() + options_.interval);
}

void SimulatedRadio::set_status(RadioStatus status) {
    status_ = std::move(status);
    status_timer_->arm(now());
    if (status_.ready()) return;
    stop_scan();
    if (cube_) drop_link();
}

void SimulatedRadio::drop_link() {
    if (!cube_) return;
    link_ = Link::lost;
    link_timer_->arm(now());
}

Result<void> SimulatedRadio::ready() const {
    if (!status_.ready()) return fail(Code::unavailable, status_.text);
    return {};
}

Result<void> SimulatedRadio::start_scan() {
    if (auto is_ready = ready(); !is_ready) return is_ready;
    scanning_ = true;
    scan_timer_->arm(now() + options_.advertising);
    return {};
}

void SimulatedRadio::stop_scan() {
    scanning_ = false;
    scan_timer_->cancel();
}

void SimulatedRadio::advertise() {
    scan_timer_->arm(now() + options_.advertising);
    for (const auto& cube : cubes_)
        if (scanning_ && events_ && cube->is_heard())
            events_->on_advertisement({cube->address(), cube->name(), cube->rssi(random_)});
}

Result<void> SimulatedRadio::connect(CubeAddress address) {
    if (auto is_ready = ready(); !is_ready) return is_ready;
    if (cube_) return fail(Code::wrong_state, "there is a link already");
    const auto found = std::ranges::find(cubes_, address, &SimulatedCube::address);
    if (found == cubes_.end())
        return fail(Code::not_found, fmt::format("the radio knows no cube {}", to_string(address)));
    stop_scan();
    cube_ = found->get();
    link_ = Link::connecting;
    link_timer_->arm(now() + options_.connecting);
    return {};
}

Result<void> SimulatedRadio::disconnect() {
    if (!cube_) return fail(Code::wrong_state, "there is no link");
    if (faults_.refuse_disconnect) return fail(Code::refused, "the radio is busy");
    if (link_ == Link::lost) return {};
    link_ = Link::disconnecting;
    link_timer_->arm(now() + options_.disconnecting);
    return {};
}

void SimulatedRadio::advance_link() {
    switch (link_) {
        case Link::connecting:
            if (faults_.hang_connect || !cube_->is_heard()) return;
            if (faults_.refuse_connect) {
                cube_ = nullptr;
                link_ = Link::none;
                if (events_) events_->on_connect_failed({Code::refused, "the cube refuses the link"});
                return;
            }
            link_ = Link::up;
            streamed_ = 0;
            cube_->on_connected();
            stream_timer_->arm(now() + (cube_->streams() ? message_period : options_.supervision));
            if (events_) events_->on_connected();
            return;
        case Link::disconnecting:
            if (!faults_.hang_disconnect) close({Code::closed, "the link was closed"});
            return;
        case Link::lost: return close({Code::unreachable, "the cube is not heard any more"});
        default: return;
    }
}

void SimulatedRadio::close(const Error& why) {
    cube_ = nullptr;
    link_ = Link::none;
    exchanges_.clear();
    for (Timer* timer : {answer_timer_.get(), stream_timer_.get(), firmware_timer_.get(), link_timer_.get()})
        timer->cancel();
    if (events_) events_->on_disconnected(why);
}

Result<void> SimulatedRadio::linked_for(const char* what) const {
    if (link_ != Link::up) return fail(Code::wrong_state, fmt::format("there is no link to {}", what));
    return {};
}

Result<void> SimulatedRadio::read(Characteristic from) {
    if (auto is_linked = linked_for("read from"); !is_linked) return is_linked;
    exchanges_.push_back({true, from, {}});
    if (exchanges_.size() == 1) answer_timer_->arm(now() + options_.interval);
    return {};
}

Result<void> SimulatedRadio::write(Characteristic to, ByteView value) {
    if (auto is_linked = linked_for("write to"); !is_linked) return is_linked;
    if (value.size() > max_value_size)
        return fail(Code::limit_exceeded, fmt::format("a value has at most {} bytes", max_value_size));
    exchanges_.push_back({false, to, Bytes(value.begin(), value.end())});
    if (exchanges_.size() == 1) answer_timer_->arm(now() + options_.interval);
    return {};
}

/// Processes pending exchanges; several of them fit into one interval.
void SimulatedRadio::answer() {
    constexpr std::size_t per_interval = 4;
    if (faults_.hang_values) return;
    for (std::size_t i = 0; i < per_interval && !exchanges_.empty(); ++i) {
        const Exchange exchange = std::move(exchanges_.front());
        exchanges_.pop_front();
        if (exchange.characteristic == Characteristic::app_write) cube_->take(exchange.value, now());
        if (exchange.characteristic == Characteristic::firmware) {
            cube_->take_firmware(exchange.value);
            firmware_timer_->arm(now() + firmware_pause);
        }
        if (!events_) continue;
        if (exchange.is_read)
            events_->on_value(exchange.characteristic, bytes_of(cube_->version()));
        else
            events_->on_written(exchange.characteristic);
    }
    if (!exchanges_.empty()) answer_timer_->arm(now() + options_.interval);
}

void SimulatedRadio::restart_cube() {
    cube_->restart();
    if (events_) events_->on_value(Characteristic::version, bytes_of(cube_->version()));
}

/// Sends the periodic messages of a cube, and checks whether it is still in range.
void SimulatedRadio::stream() {
    if (!cube_->is_heard()) {
        link_ = Link::lost;
        return link_timer_->arm(now() + options_.supervision);
    }
    if (!cube_->streams()) return stream_timer_->arm(now() + options_.supervision);
    stream_timer_->arm(now() + message_period);
    const bool is_voltage = ++streamed_ % messages_per_voltage == 0;
    if (!events_) return;
    events_->on_value(Characteristic::app_read, encode(cube_->acceleration(now(), random_)));
    if (is_voltage && events_) events_->on_value(Characteristic::app_read, encode(cube_->voltage()));
}

}  // namespace caribou::cubes
