#pragma once

#include <memory>
#include <optional>

#include "kit/robot/robot_thread.hpp"
#include "loop/memory_network.hpp"
#include "platform/http_server.hpp"
#include "platform/local_token_keeper.hpp"
#include "robot/inner_link.hpp"
#include "robot/robot_config.hpp"
#include "station/api.hpp"

namespace caribou::app {

/// A robot's own page: a station for this robot only, on its own thread within the process.
class RobotWeb {
public:
    /// All arguments must outlive this object. Nothing runs before start().
    static Result<std::unique_ptr<RobotWeb>> open(const robot::RobotConfig& config,
                                                  robot::RobotBuffers& buffers, robot::InnerLink::Hooks hooks,
                                                  Log& log);
    ~RobotWeb() { stop(); }
    Result<void> start() { return thread_.thread.start(); }
    void stop() { thread_.thread.stop(); }
    /// Must be called regularly while all threads are alive. Thread-safe.
    void beat() { link_->beat(); }
    Address address() const { return server_->address(); }

private:
    RobotWeb(const robot::RobotConfig& config, Log& log);

    RobotThread thread_;
    MemoryNetwork inside_;
    station::Station station_;
    station::StationApi api_;
    std::unique_ptr<robot::InnerLink> link_;
    std::unique_ptr<HttpServer> server_;
    std::unique_ptr<HttpServer> local_server_;  ///< null: could not be opened
    std::unique_ptr<LocalTokenKeeper> token_;
};

}  // namespace caribou::app
