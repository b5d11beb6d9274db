// For sdbus-c++ 1, of Debian 12.
#include "adapters/bluez/sdbus_calls.hpp"

namespace caribou::sdbus_calls {

std::unique_ptr<sdbus::IProxy> make_proxy(sdbus::IConnection& bus, const std::string& service,
                                          const std::string& path) {
    return sdbus::createProxy(bus, service, path);
}

sdbus::MethodCall make_call(sdbus::IProxy& object, const std::string& interface, const std::string& method) {
    return object.createMethodCall(interface, method);
}

void send(sdbus::IProxy& object, const sdbus::MethodCall& call, ReplyHandler handler) {
    object.callMethod(call, std::move(handler));
}

void add_match(sdbus::IConnection& bus, const std::string& rule,
               std::function<void(sdbus::Message& message)> handler) {
    bus.addMatch(rule, std::move(handler), sdbus::floating_slot);
}

bool process_one(sdbus::IConnection& bus) { return bus.processPendingRequest(); }

std::optional<std::chrono::microseconds> time_left(const sdbus::IConnection::PollData& data) {
    return data.getRelativeTimeout();
}

}  // namespace caribou::sdbus_calls
