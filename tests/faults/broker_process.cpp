#include "faults/broker_process.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include <test_paths.hpp>
#include "base/check.hpp"
#include "base/limits.hpp"

namespace caribou::tests {

using namespace std::chrono_literals;

BrokerProcess::BrokerProcess()
    // The address sanitizer would otherwise keep 256 MiB of freed memory.
    : program_({in_build("caribou"), "db", "--port", "0", "--quiet"}, {"ASAN_OPTIONS=quarantine_size_mb=8"}) {
    const std::string line = program_.read_line(30s).value_or("nothing");
    const std::size_t at = line.rfind(" at ");
    check(at != std::string::npos, "caribou db tells where it listens");
    const auto address = Address::parse(line.substr(at + 4));
    check(address.has_value(), "caribou db tells an address");
    address_ = *address;
}

std::size_t BrokerProcess::peak_memory() const {
    std::ifstream status(fmt::format("/proc/{}/status", program_.id()));
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) * 1_KiB;
    return 0;
}

std::size_t BrokerProcess::open_descriptors() const {
    const std::filesystem::directory_iterator all(fmt::format("/proc/{}/fd", program_.id()));
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

std::optional<ChildProcess::End> BrokerProcess::stop() {
    program_.signal(SIGTERM);
    return program_.wait(30s);
}

}  // namespace caribou::tests
