#pragma once

// Private to the adapter and its tests: includes the header of sdbus-c++.

#include <sdbus-c++/sdbus-c++.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

/// Calls that differ between sdbus-c++ 1 (Debian 12) and 2 (Debian 13), in one form. All of them throw
/// sdbus::Error, as the library does.
namespace caribou::sdbus_calls {

/// Receives the reply, or else the error; null: no error.
using ReplyHandler = std::function<void(sdbus::MethodReply& reply, const sdbus::Error* error)>;

std::unique_ptr<sdbus::IProxy> make_proxy(sdbus::IConnection& bus, const std::string& service,
                                          const std::string& path);
sdbus::MethodCall make_call(sdbus::IProxy& object, const std::string& interface, const std::string& method);
/// Sends the call; the handler is called from process_one(), unless the proxy is destroyed before.
void send(sdbus::IProxy& object, const sdbus::MethodCall& call, ReplyHandler handler);

/// Calls the handler for each message that the D-Bus match rule selects, as long as the connection exists.
void add_match(sdbus::IConnection& bus, const std::string& rule,
               std::function<void(sdbus::Message& message)> handler);
/// Processes one message. Returns false if there was none.
bool process_one(sdbus::IConnection& bus);
/// Returns the time until process_one() must be called even if no message arrives; nullopt: no such time.
std::optional<std::chrono::microseconds> time_left(const sdbus::IConnection::PollData& data);

}  // namespace caribou::sdbus_calls
