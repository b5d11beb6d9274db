#pragma once

#include <cstddef>
#include <string>

/// Attacks that run until the process is killed. Closed connections are reopened.
namespace caribou::tests {

/// Sends heartbeats to a robot as fast as it reads them, as a peer with this key.
[[noreturn]] void flood_robot(const std::string& robot, const std::string& key_file);
/// Keeps idle sessions with a robot open.
[[noreturn]] void hold_sessions(const std::string& robot, const std::string& key_file, std::size_t count);
/// Starts handshakes with a known key id and a wrong key.
[[noreturn]] void fail_handshakes(const std::string& robot, const std::string& key_id);
/// Keeps connections with incomplete requests open.
[[noreturn]] void hold_requests(const std::string& station, std::size_t count);
/// Keeps idle WebSockets open.
[[noreturn]] void hold_watchers(const std::string& station, std::size_t count);

}  // namespace caribou::tests
