#pragma once

#include <cstddef>
#include <string>

/// What an attacker does until it is killed. Connections that are closed are opened again.
namespace caribou::tests {

/// Sends heartbeats to a robot as fast as it takes them, as a peer with this key.
[[noreturn]] void flood_robot(const std::string& robot, const std::string& key_file);
/// Keeps sessions with a robot open that say nothing.
[[noreturn]] void hold_sessions(const std::string& robot, const std::string& key_file, std::size_t count);
/// Begins handshakes that name a known key, and fail to prove it.
[[noreturn]] void fail_handshakes(const std::string& robot, const std::string& key_id);
/// Keeps connections open on which a request is never finished.
[[noreturn]] void hold_requests(const std::string& station, std::size_t count);
/// Keeps WebSockets open that say nothing.
[[noreturn]] void hold_watchers(const std::string& station, std::size_t count);

}  // namespace caribou::tests
