// `caribou page`: the address of the page, for a browser that is to drive.

#include <cstdio>

#include <fmt/format.h>

#include "caribou/station_link.hpp"
#include "kit/program/local_access.hpp"
#include "kit/program/number_from.hpp"

namespace caribou::app {
namespace {

class PageCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand(
            "page", "Print the address of the page, with the token that permits driving");
        parser->add_option("--station", at_, "Address at which the station, or the robot, serves its page")
            ->check(network_address())
            ->capture_default_str()
            ->envname("CARIBOU_STATION");
        parser->footer(
            "Without the token, programs and browsers on this machine can only observe and stop robots. Only "
            "the\n"
            "user who runs the station, and root, can read the token. To replace it, delete its file,\n"
            "~/.local/state/caribou/web-PORT.token, and restart the station.\n"
            "Examples:\n"
            "  caribou page\n"
            "  caribou page --station 127.0.0.1:9681");
        return parser;
    }

    Exit run() override {
        const auto at = Address::parse(at_);
        if (!at) return complain("--station: " + at.error().message, Exit::usage);
        const auto token = find_local_token(*at);
        if (!token && token.error().code == Code::unreachable)
            return complain(token.error().message +
                            "; start a station with `caribou station`, or name its address with --station");
        if (!token) return complain(token.error().message);
        fmt::print("{}\n", page_address(*at, *token));
        return Exit::ok;
    }

private:
    static Exit complain(std::string_view what, Exit how = Exit::failed) {
        fmt::print(stderr, "caribou page: {}\n", what);
        return how;
    }

    std::string at_ = StationOptions{}.at;
};

}  // namespace

std::unique_ptr<Command> make_page_command() { return std::make_unique<PageCommand>(); }

}  // namespace caribou::app
