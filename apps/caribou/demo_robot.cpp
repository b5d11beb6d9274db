#include "caribou/demo_robot.hpp"

#include <fmt/format.h>

namespace caribou::app {
namespace {

/// Returns a path as a TOML literal string, which has no escapes and must not contain a single quote.
std::string quoted(const std::filesystem::path& path) { return fmt::format("'{}'", path.string()); }

}  // namespace

std::string demo_name(std::size_t number, std::size_t of) {
    return of == 1 ? "rover" : fmt::format("rover-{:02}", number);
}

std::filesystem::path demo_keys(const std::filesystem::path& folder) { return folder / "keys"; }

std::string demo_config(const DemoPlace& place, std::size_t number, std::size_t of) {
    const std::string name = demo_name(number, of);
    const bool alone = of == 1;
    return fmt::format(
        "name = \"{name}\"\n"
        "DefaultRunMode = 2\n"
        "DefaultComMode = 3\n"
        "SendPort = {station}\n"
        "ReceivePort = 0\n"
        "ServerIP = \"127.0.0.1\"\n"
        "log = {log}\n"
        "\n[link]\nkeys = {keys}\nrecord = {record}\n"
        // A simulated body stops with the process: a pause of a busy laptop need not end the robot.
        "\n[safety]\nstall_after = 1\n"
        "\n[body]\nkind = \"sim\"\nfile = {room}\nseed = {seed}\n"
        "\n[bus]\njoin = true\naddress = \"{broker}\"\nprefix = \"{prefix}_\"\n"
        "\n[ai]\nrate = {rate}\n"
        "\n[telemetry]\nrate = {rate}\n",
        fmt::arg("name", name), fmt::arg("station", place.station),
        fmt::arg("log", quoted(place.folder / (name + ".log"))),
        fmt::arg("keys", quoted(demo_keys(place.folder))),
        fmt::arg("record", quoted(place.folder / (name + ".link"))),
        fmt::arg("room", alone ? quoted(place.room) : "''"), fmt::arg("seed", alone ? 7 : number),
        fmt::arg("broker", to_string(place.broker)),
        fmt::arg("prefix", alone ? "CBOT" : fmt::format("CBOT{:02}", number)),
        fmt::arg("rate", alone ? 20 : 5));
}

}  // namespace caribou::app
