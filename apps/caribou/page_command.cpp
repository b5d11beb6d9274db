// `caribou page`: the address of the page, for a browser that is to drive.

#include <cstdio>

#include <fmt/format.h>

#include "caribou/local_access.hpp"
#include "caribou/station_link.hpp"

namespace caribou::app {
namespace {

class PageCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("page", "Prints the address of the page, with the token to drive");
        parser->add_option("--station", at_, "Where the station, or the robot, serves its page")
            ->capture_default_str()
            ->envname("CARIBOU_STATION");
        parser->footer(
            "Without the token, programs and browsers on this machine observe and stop robots, no more. The\n"
            "address can be opened by the user who runs the station (or root), until the token is replaced: "
            "delete\n"
            "its file, ~/.local/state/caribou/web-PORT.token, and start the station again.\n"
            "Examples:\n"
            "  caribou page\n"
            "  caribou page --station 127.0.0.1:9681");
        return parser;
    }

    Exit run() override {
        const auto at = Address::parse(at_);
        if (!at) return complain("--station: " + at.error().message, Exit::usage);
        const auto token = find_local_token(*at);
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
