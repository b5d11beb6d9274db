// `caribou doctor`: checks whether this machine meets the requirements, and prints remedies.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "caribou/key_place.hpp"
#include "caribou/share_place.hpp"
#include "platform/machine_check.hpp"

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
        CLI::App* const parser = program.add_subcommand("doctor", "Checks this machine, and says what to do");
        keys_.add_to(*parser);
        parser->add_option("--folder", folder_, "Where recordings are to go")->capture_default_str();
        parser->footer(
            "Looks at ports, real-time rights, connections, clock, disk, keys, radio, GPIO and the page, "
            "and\n"
            "changes nothing. Ends with 1 if something is wrong; what is merely missing is told.\n"
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
