#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "platform/key_ring.hpp"
#include "platform/link_record_file.hpp"
#include "platform/tls_network.hpp"
#include "robot/link_trust.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// What secures a robot's link: its keys, what it remembers, and TLS on the receiver's loop.
class RobotLink {
public:
    /// Counts a start. A robot whose station is on this machine, and that was not paired with one, makes a
    /// key of its own name, which that station finds in the same folder. `refused` hears of each whom TLS
    /// does not let in. Loop, network and log outlive it.
    using Refused = std::function<void(const std::string&)>;
    static Result<std::unique_ptr<RobotLink>> open(const robot::RobotConfig& config, const KeyFolder& folder,
                                                   Loop& loop, Network& below, Log& log, Refused refused);

    robot::LinkTrust& trust() { return trust_; }
    Network& network() { return network_; }

private:
    RobotLink(const KeyFolder& folder, std::unique_ptr<LinkRecordFile> record,
              robot::LinkTrust::Options options, Loop& loop, Network& below, Log& log, Refused refused);

    KeyRing ring_;
    std::unique_ptr<LinkRecordFile> record_;
    robot::LinkTrust trust_;
    TlsNetwork network_;
};

}  // namespace caribou::app
