#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapters/keys/key_ring.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "adapters/robot_files/link_record_file.hpp"
#include "base/log.hpp"
#include "robot/link_trust.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

/// The security of a robot's link: its keys, its stored state, and TLS on the receiver's loop.
class RobotLink {
public:
    /// Counts a start. A robot without a paired station whose station is on this machine creates a key with
    /// its own name, which that station finds in the same folder. `refused` is called for each peer that TLS
    /// refuses. Loop, network and log must outlive this object.
    using Refused = std::function<void(const std::string&)>;
    static Result<std::unique_ptr<RobotLink>> open(const robot::RobotConfig& config, const KeyFolder& folder,
                                                   Loop& loop, Network& below, Log& log, Refused refused);

    /// Returns whether a robot of this configuration opens such a link.
    static bool is_needed(const robot::RobotConfig& config);
    /// Returns why open() would not find or create the key. Creates nothing.
    static Result<void> check(const robot::RobotConfig& config, const KeyFolder& folder);

    robot::LinkTrust& trust() { return trust_; }
    Network& network() { return network_; }
    /// Returns whether the number of this start is stored.
    bool is_stored() const { return record_->not_stored().empty(); }

private:
    RobotLink(const KeyFolder& folder, std::unique_ptr<LinkRecordFile> record,
              robot::LinkTrust::Options options, Loop& loop, Network& below, Log& log, Refused refused);

    KeyRing ring_;
    std::unique_ptr<LinkRecordFile> record_;
    robot::LinkTrust trust_;
    TlsNetwork network_;
};

}  // namespace caribou::app
