// For sdbus-c++ 2, of Debian 13.
#include "adapters/bluez/sdbus_calls.hpp"

namespace caribou::sdbus_calls {

std::unique_ptr<sdbus::IProxy> make_proxy(sdbus::IConnection& bus, const std::string& service,
                                          const std::string& path) {
    return sdbus::createProxy(bus, sdbus::ServiceName(service), sdbus::ObjectPath(path));
}

sdbus::MethodCall make_call(sdbus::IProxy& object, const std::string& interface, const std::string& method) {
    return object.createMethodCall(sdbus::InterfaceName(interface), sdbus::MethodName(method));
}

void send(sdbus::IProxy& object, const sdbus::MethodCall& call, ReplyHandler handler) {
    object.callMethodAsync(call, [handler = std::move(handler)](sdbus::MethodReply reply,
                                                                const std::optional<sdbus::Error>& error) {
        handler(reply, error ? &*error : nullptr);
    });
}

void add_match(sdbus::IConnection& bus, const std::string& rule,
               std::function<void(sdbus::Message& message)> handler) {
    bus.addMatch(rule, [handler = std::move(handler)](sdbus::Message message) { handler(message); });
}

bool process_one(sdbus::IConnection& bus) { return bus.processPendingEvent(); }

std::optional<std::chrono::microseconds> time_left(const sdbus::IConnection::PollData& data) {
    const auto left = data.getRelativeTimeout();
    if (left == std::chrono::microseconds::max()) return std::nullopt;
    return left;
}

}  // namespace caribou::sdbus_calls
