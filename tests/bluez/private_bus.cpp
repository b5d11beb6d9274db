#include "bluez/private_bus.hpp"

#include <signal.h>

#include <fstream>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::tests {

void PrivateBus::start() {
    set_policy(allows_bluez_);
    daemon_ = std::make_unique<ChildProcess>(std::vector<std::string>{
        "/usr/bin/dbus-daemon", "--nofork", "--print-address", "--config-file=" + configuration()});
    check(daemon_->read_line(std::chrono::seconds(60)).has_value(), "the bus tells its address");
}

void PrivateBus::set_policy(bool allows_bluez) {
    allows_bluez_ = allows_bluez;
    std::ofstream(configuration() + ".new") << fmt::format(
        R"(<busconfig>
  <type>session</type>
  <listen>{}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
    {}
  </policy>
</busconfig>
)",
        address(), allows_bluez ? "" : R"(<deny send_destination="org.bluez"/>)");
    std::filesystem::rename(configuration() + ".new", configuration());
    if (daemon_) daemon_->signal(SIGHUP);
}

}  // namespace caribou::tests
