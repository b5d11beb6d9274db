#include "adapters/bluez/bluez_radio.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "cubes/cube_uuids.hpp"

namespace caribou {

using namespace cubes;
using Kind = RadioStatus::Kind;

BluezRadio::BluezRadio(EventLoop& loop, Log& log, BluezBusOptions options)
    : loop_(loop),
      log_(log),
      retry_(options.retry),
      status_{Kind::unavailable, "BlueZ has not answered yet"},
      retry_timer_(loop.make_timer([this] { ask_adapter(); })),
      bus_(loop, *this, std::move(options)) {}

/// Disconnects, because BlueZ would keep the connection.
BluezRadio::~BluezRadio() {
    if (link_ && link_->stage != Stage::closing) std::ignore = disconnect();
}

// The adapter

void BluezRadio::on_reached(BluezObjects objects) {
    objects_ = std::move(objects);
    judge_adapters();
}

void BluezRadio::on_gone(const Error& why) {
    objects_ = {};
    adapter_.clear();
    set_status(why.code == Code::refused ? Kind::denied : Kind::unavailable, why.message);
}

void BluezRadio::judge_adapters() {
    const auto adapters = objects_.paths_with(bluez::adapter);
    const auto is_on = [this](const std::string& path) {
        return objects_.is_true(path, bluez::adapter, "Powered");
    };
    if (!adapter_.empty() && is_on(adapter_)) return;
    adapter_.clear();
    const auto found = std::ranges::find_if(adapters, is_on);
    if (adapters.empty()) return set_status(Kind::unavailable, "there is no Bluetooth adapter: plug one in");
    if (found == adapters.end())
        return set_status(
            Kind::off, "the Bluetooth adapter is switched off: switch it on, with `bluetoothctl power on`");
    // A connection made through the previous adapter is lost.
    if (status_.ready())
        set_status(Kind::unavailable, "the Bluetooth adapter has gone; another one is there");
    adapter_ = *found;
    ask_adapter();
}

/// Whether this user has permission is known only after the first call.
void BluezRadio::ask_adapter() {
    if (adapter_.empty()) return;
    bus_.set_discovery_filter(adapter_, [this, asked = ++asked_](const Result<Bytes>& answer) {
        if (asked != asked_ || adapter_.empty()) return;
        answer ? set_status(Kind::ready, "") : set_trouble(answer.error());
    });
}

void BluezRadio::set_trouble(const Error& why) {
    retry_timer_->arm(loop_.clock().now() + retry_);
    if (why.code == Code::refused)
        return set_status(Kind::denied,
                          "this user may not use the Bluetooth adapter: add it to the group "
                          "`bluetooth`");
    set_status(Kind::unavailable, "the Bluetooth adapter does not work: " + why.message);
}

void BluezRadio::set_status(Kind kind, std::string text) {
    is_known_ = true;
    if (adapter_.empty()) retry_timer_->cancel();
    RadioStatus status{kind, std::move(text)};
    if (status == status_) return;
    status_ = std::move(status);
    if (!status_.ready()) scans_ = false;
    if (events_) events_->on_status(RadioStatus(status_));
    if (!status_.ready() && link_) end_link({Code::unreachable, status_.text});
}

void BluezRadio::on_added(const std::string& path, BluezInterfaces interfaces) {
    const bool is_device = interfaces.contains(bluez::device);
    objects_.add(path, std::move(interfaces));
    judge_adapters();
    if (is_device) advertise(path);
}

void BluezRadio::on_removed(const std::string& path, const std::vector<std::string>& interfaces) {
    objects_.remove(path, interfaces);
    judge_adapters();
    if (link_ && !objects_.has(link_->device, bluez::device))
        end_link({Code::unreachable, "the cube has gone"});
}

void BluezRadio::on_changed(const std::string& path, const std::string& interface,
                            const BluezProperties& changed, const std::vector<std::string>& dropped) {
    objects_.change(path, interface, changed, dropped);
    if (interface == bluez::adapter) judge_adapters();
    if (interface == bluez::device) {
        if (changed.contains("RSSI")) advertise(path);
        if (link_ && link_->device == path) follow_device(changed);
    }
    if (interface == bluez::characteristic && changed.contains("Value"))
        if (const Bytes* value = std::get_if<Bytes>(&changed.at("Value"))) take_value(path, *value);
}

// Scanning

Result<void> BluezRadio::start_scan() {
    if (!status_.ready()) return fail(Code::unavailable, status_.text);
    if (std::exchange(scans_, true)) return {};
    bus_.call(adapter_, bluez::adapter, "StartDiscovery", [this](const Result<Bytes>& answer) {
        if (!scans_) return;
        if (!answer && answer.error().code != Code::wrong_state) return set_trouble(answer.error());
        for (const std::string& device : objects_.paths_with(bluez::device)) advertise(device);
    });
    return {};
}

void BluezRadio::stop_scan() {
    if (!std::exchange(scans_, false)) return;
    bus_.call(adapter_, bluez::adapter, "StopDiscovery", [](const Result<Bytes>&) {});
}

/// A device without a signal strength is one that BlueZ remembers but does not receive.
void BluezRadio::advertise(const std::string& device) {
    const auto* const rssi = objects_.find<std::int64_t>(device, bluez::device, "RSSI");
    const auto* const uuids = objects_.find<std::vector<std::string>>(device, bluez::device, "UUIDs");
    const std::string name = objects_.text(device, bluez::device, "Name");
    const bool is_cube =
        name == cube_name || (uuids && std::ranges::find(*uuids, cube_service_uuid) != uuids->end());
    const auto address = CubeAddress::parse(objects_.text(device, bluez::device, "Address"));
    if (scans_ && events_ && rssi && is_cube && address && device.starts_with(adapter_ + "/"))
        events_->on_advertisement({*address, name, static_cast<int>(*rssi)});
}

// The link

Result<void> BluezRadio::connect(CubeAddress address) {
    if (!status_.ready()) return fail(Code::unavailable, status_.text);
    if (link_) return fail(Code::wrong_state, "there is a link already");
    const auto devices = objects_.paths_with(bluez::device);
    const auto found = std::ranges::find_if(devices, [&](const std::string& device) {
        const auto its = CubeAddress::parse(objects_.text(device, bluez::device, "Address"));
        return its && *its == address && device.starts_with(adapter_ + "/");
    });
    if (found == devices.end())
        return fail(Code::not_found, fmt::format("the radio knows no cube {}", to_string(address)));
    stop_scan();
    link_ = Link{.number = ++links_, .device = *found};
    bus_.call(*found, bluez::device, "Connect", for_link(&BluezRadio::on_linked));
    return {};
}

void BluezRadio::on_linked(const Result<Bytes>& answer) {
    if (link_->stage != Stage::connecting) return;
    if (!answer && answer.error().code == Code::refused) return set_trouble(answer.error());
    if (!answer && answer.error().code != Code::already_exists) return end_link(answer.error());
    link_->stage = Stage::resolving;
    find_characteristics();
}

void BluezRadio::follow_device(const BluezProperties& changed) {
    const bool is_lost =
        changed.contains("Connected") && !objects_.is_true(link_->device, bluez::device, "Connected");
    if (link_->stage == Stage::connecting) return;  // the reply decides
    if (is_lost) return end_link({Code::unreachable, "the cube is not heard any more"});
    if (link_->stage == Stage::resolving) find_characteristics();
}

/// The characteristics exist once BlueZ has resolved the cube's services.
void BluezRadio::find_characteristics() {
    if (!objects_.is_true(link_->device, bluez::device, "ServicesResolved")) return;
    for (const Characteristic each : {Characteristic::app_write, Characteristic::app_read,
                                      Characteristic::version, Characteristic::firmware}) {
        for (const std::string& path : objects_.paths_with(bluez::characteristic))
            if (path.starts_with(link_->device + "/") &&
                objects_.text(path, bluez::characteristic, "UUID") == uuid_of(each))
                link_->paths[each] = path;
        if (!link_->paths.contains(each))
            return fail_attempt(
                {Code::refused, fmt::format("the device is not a cube: it lacks the characteristic {} ({})",
                                            to_string(each), uuid_of(each))});
    }
    link_->stage = Stage::subscribing;
    for (const Characteristic each : {Characteristic::app_read, Characteristic::version}) {
        ++link_->unanswered;
        bus_.call(link_->paths[each], bluez::characteristic, "StartNotify",
                  for_link(&BluezRadio::on_subscribed));
    }
}

void BluezRadio::on_subscribed(const Result<Bytes>& answer) {
    if (link_->stage != Stage::subscribing) return;
    if (!answer && answer.error().code != Code::wrong_state) return fail_attempt(answer.error());
    if (--link_->unanswered > 0) return;
    link_->stage = Stage::up;
    if (events_) events_->on_connected();
}

/// There is a connection by now, but it is not usable.
void BluezRadio::fail_attempt(const Error& why) {
    bus_.call(link_->device, bluez::device, "Disconnect", [](const Result<Bytes>&) {});
    end_link(why);
}

Result<void> BluezRadio::disconnect() {
    if (!link_) return fail(Code::wrong_state, "there is no link");
    link_->stage = Stage::closing;
    bus_.call(link_->device, bluez::device, "Disconnect", for_link(&BluezRadio::on_unlinked));
    return {};
}

void BluezRadio::on_unlinked(const Result<Bytes>& answer) {
    const bool is_closed =
        answer || answer.error().code == Code::closed || answer.error().code == Code::not_found;
    if (is_closed) return end_link({});
    log_.warning(fmt::format("BlueZ did not disconnect the cube: {}", answer.error().message));
}

void BluezRadio::end_link(const Error& why) {
    const Stage stage = link_->stage;
    link_.reset();
    if (!events_) return;
    if (stage == Stage::closing)
        events_->on_disconnected({Code::closed, "the link was closed"});
    else if (stage == Stage::up)
        events_->on_disconnected(why);
    else
        events_->on_connect_failed(why);
}

BluezBus::Answer BluezRadio::for_link(void (BluezRadio::*take)(const Result<Bytes>&)) {
    return [this, take, number = link_->number](const Result<Bytes>& answer) {
        if (link_ && link_->number == number) (this->*take)(answer);
    };
}

// Values

Result<void> BluezRadio::read(Characteristic from) { return add_exchange({from, std::nullopt}); }

Result<void> BluezRadio::write(Characteristic to, ByteView value) {
    if (value.size() > max_value_size)
        return fail(Code::limit_exceeded,
                    limit_reached("max_value_size", value.size(), max_value_size, "bytes"));
    return add_exchange({to, Bytes(value.begin(), value.end())});
}

void BluezRadio::take_value(const std::string& path, const Bytes& value) {
    if (!link_ || link_->stage != Stage::up || !events_) return;
    for (const Characteristic from : {Characteristic::app_read, Characteristic::version}) {
        if (link_->paths[from] != path) continue;
        // BlueZ reports a value that was read twice: as a property change and as the reply.
        const bool is_being_read = !link_->exchanges.empty() && !link_->exchanges.front().value &&
                                   link_->exchanges.front().characteristic == from;
        if (!is_being_read) events_->on_value(from, value);
        return;
    }
}

/// One at a time: BlueZ refuses a second operation on the same characteristic.
Result<void> BluezRadio::add_exchange(Exchange exchange) {
    if (!link_ || link_->stage != Stage::up) return fail(Code::wrong_state, "there is no link to a cube");
    if (link_->exchanges.size() >= max_exchanges)
        return fail(Code::limit_exceeded,
                    limit_reached("max_exchanges", link_->exchanges.size() + 1, max_exchanges, "values"));
    link_->exchanges.push_back(std::move(exchange));
    if (link_->exchanges.size() == 1) begin_exchange();
    return {};
}

void BluezRadio::begin_exchange() {
    const Exchange& exchange = link_->exchanges.front();
    const std::string& path = link_->paths[exchange.characteristic];
    if (exchange.value)
        bus_.write_value(path, *exchange.value, for_link(&BluezRadio::end_exchange));
    else
        bus_.read_value(path, for_link(&BluezRadio::end_exchange));
}

void BluezRadio::end_exchange(const Result<Bytes>& answer) {
    if (link_->stage != Stage::up) return;
    const Exchange exchange = std::move(link_->exchanges.front());
    link_->exchanges.pop_front();
    if (!link_->exchanges.empty()) begin_exchange();
    if (!answer)
        return log_.warning(fmt::format("the cube's {} cannot be {}: {}", to_string(exchange.characteristic),
                                        exchange.value ? "written" : "read", answer.error().message));
    if (!events_) return;
    if (exchange.value)
        events_->on_written(exchange.characteristic);
    else
        events_->on_value(exchange.characteristic, *answer);
}

}  // namespace caribou
