// `caribou doctor`: checks whether this machine meets the requirements, and prints remedies.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "adapters/keys/machine_check.hpp"
#include "caribou/commands.hpp"
#include "kit/program/key_place.hpp"
#include "kit/program/share_place.hpp"

namespace caribou::app {
namespace {

using State = MachineFinding::State;

MachineFinding check_page() {
    const auto page = share_place("web");
    if (!page.empty()) return {"page", State::good, page.string(), {}};
    return {"page", State::note, "not here: the station serves programs, and no browser",
            "`./run build` makes it, with npm"};
}

class DoctorCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("doctor", "Check this machine, and print how to fix what is wrong");
        keys_.add_to(*parser);
        parser->add_option("--folder", folder_, "Folder that recordings are to be written to")
            ->capture_default_str();
        parser->footer(
            "Checks ports, real-time rights, connections, clock, disk, keys, radio, GPIO and the page. "
            "Changes\n"
            "nothing. The exit status is 1 if something is wrong; optional parts that are missing are "
            "listed.\n"
            "Examples:\n"
            "  caribou doctor\n"
            "  caribou doctor --folder /var/lib/caribou --keys /etc/caribou/keys");
        return parser;
    }

    Exit run() override {
        const auto local = [](std::uint16_t port) { return Address::ip("127.0.0.1", port); };
        auto findings = check_machine({.ports = {{"a broker", local(9000)},
                                                 {"robots calling", local(9600), true},
                                                 {"a robot", local(9601)},
                                                 {"the page", local(9680)}},
                                       .keys = keys_.folder(),
                                       .recordings = folder_});
        findings.push_back(check_page());
        for (const MachineFinding& finding : findings) print(finding);
        const auto bad = std::ranges::count(findings, State::bad, &MachineFinding::state);
        if (bad > 0) {
            fmt::print("\n{} {} to be mended.\n", bad, bad == 1 ? "thing has" : "things have");
            return Exit::failed;
        }
        fmt::print("\nThis machine will do.\n");
        return Exit::ok;
    }

private:
    static void print(const MachineFinding& finding) {
        const char* const mark = finding.state == State::good   ? "good"
                                 : finding.state == State::note ? "note"
                                                                : "BAD ";
        fmt::print("{}  {:<28} {}\n", mark, finding.subject, finding.found);
        if (!finding.advice.empty()) fmt::print("      {:<28} -> {}\n", "", finding.advice);
    }

    KeyPlace keys_;
    std::string folder_ = ".";
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() { return std::make_unique<DoctorCommand>(); }

}  // namespace caribou::app
