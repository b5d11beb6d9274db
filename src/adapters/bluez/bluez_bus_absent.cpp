// For a build without sdbus-c++.
#include "adapters/bluez/bluez_bus.hpp"

namespace caribou {

/// Reports once that BlueZ cannot be used.
class BluezBus::Connection {
public:
    Connection(EventLoop& loop, BluezBusEvents& events)
        : timer_(loop.make_timer([&events] { events.on_gone(absent()); })) {
        timer_->arm(loop.clock().now());
    }

    static Error absent() {
        return {Code::unavailable,
                "this program was built without Bluetooth; install libsdbus-c++-dev and build it again"};
    }

private:
    std::unique_ptr<Timer> timer_;
};

BluezBus::BluezBus(EventLoop& loop, BluezBusEvents& events, BluezBusOptions)
    : connection_(std::make_unique<Connection>(loop, events)) {}
BluezBus::~BluezBus() = default;

// No object of BlueZ is ever known, so that no call is expected.

void BluezBus::call(const std::string&, std::string_view, const std::string&, Answer answer) {
    answer(fail(Connection::absent()));
}
void BluezBus::set_discovery_filter(const std::string&, Answer answer) { answer(fail(Connection::absent())); }
void BluezBus::read_value(const std::string&, Answer answer) { answer(fail(Connection::absent())); }
void BluezBus::write_value(const std::string&, ByteView, Answer answer) {
    answer(fail(Connection::absent()));
}

}  // namespace caribou
