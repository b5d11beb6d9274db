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

/// Opens connections with an incomplete request as fast as possible, and closes the oldest ones.
[[noreturn]] void storm_requests(const std::string& station);
/// Opens connections with 200 complete requests each as fast as possible, reads no answer, and closes the
/// oldest ones.
[[noreturn]] void pipeline_requests(const std::string& station);
/// Keeps WebSockets open that replay a recording at the highest speed, and seek every 20 ms.
[[noreturn]] void hold_replays(const std::string& station, std::size_t count);

/// The recording that is replayed: 25 s from this time on, in UNIX seconds.
inline constexpr const char* replayed_recording = "20260101-000000-0001";
inline constexpr unsigned replayed_from = 1'767'225'600;
inline constexpr unsigned replayed_seconds = 25;

}  // namespace caribou::tests
