// `caribou poke`: publishes values from the command line.

#include <string>
#include <vector>

#include "bus/poke.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"

namespace caribou::app {
namespace {

class PokeCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("poke", "Write variables, and verify that they arrived");
        parser
            ->add_option("ASSIGNMENT", texts_,
                         "Values to write, VAR=VALUE; a mission file gives the broker's address")
            ->required()
            ->option_text("[MISSION] VAR=VALUE ...");
        add_bus_options(*parser, bus_);
        parser->footer(
            "Examples:\n"
            "  caribou poke DEPLOY=true SPEED=1.5      a string and a number\n"
            "  caribou poke alpha.moos DEPLOY=true     at the broker of this mission\n"
            "  caribou poke ROUTE:=7                   the string 7; also ROUTE:string=7\n"
            "  caribou poke KEY:binary=00ff7e          bytes, in hexadecimal\n"
            "  caribou poke START=@MOOSTIME            the time of the community, as a string; also @UTC\n"
            "A variable keeps the type of its first value: a value of another type is refused, nothing is\n"
            "written, and the exit status is 1.");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(texts_, bus_); !taken)
            return complain("poke", taken.error().message, Exit::failed);
        if (texts_.empty()) return complain("poke", "expected VAR=VALUE after the mission file");
        BusSession session("poke", bus_);
        std::vector<bus::Assignment> values;
        for (const std::string& text : texts_) {
            auto value = bus::Assignment::parse(text);
            if (!value) return session.complain(value.error().message, Exit::usage);
            values.push_back(std::move(*value));
        }
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        bus::Poke poke(session.client(), std::move(values));
        poke.start([&](Result<void> outcome) {
            if (outcome) return session.end(Exit::ok);
            session.end_with(outcome.error().message);
        });
        return session.run();
    }

private:
    BusOptions bus_;
    std::vector<std::string> texts_;
};

}  // namespace

std::unique_ptr<Command> make_poke_command() { return std::make_unique<PokeCommand>(); }

}  // namespace caribou::app
