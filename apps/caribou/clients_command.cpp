// `caribou clients`: lists the connected clients and their traffic.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/client_table.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

class ClientsCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("clients", "List the clients of a broker");
        parser->add_flag("--json", json_, "Print a JSON array");
        parser->add_option("MISSION", words_, "Mission file with the broker's address");
        add_bus_options(*parser, bus_);
        parser->footer(
            "READS and WRITES are numbers of variables, SENT and RECEIVED of the client's messages; BACKLOG\n"
            "is the bytes waiting for it, DROPPED the values it was too slow to receive. A MOOSDB reports\n"
            "names and variables only; the rest is `-`, in JSON null.\n"
            "Examples:\n"
            "  caribou clients\n"
            "  caribou clients --json | jq -r '.[].name'");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(words_, bus_); !taken)
            return complain("clients", taken.error().message, Exit::failed);
        if (!words_.empty())
            return complain("clients",
                            fmt::format("`{}` is not a mission file; expected FILE.moos", words_.front()));
        BusSession session("clients", bus_);
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        ask(session, "CLIENT_SUMMARY", 1s, [this, &session] {
            // Other brokers do not answer unknown requests.
            ask(session, "PROC_SUMMARY", 5s,
                [&session] { session.end_with("the broker does not list its clients"); });
        });
        return session.run();
    }

private:
    void ask(BusSession& session, std::string_view what, Duration limit, Task otherwise) {
        const auto asked = session.client().server_request(
            what,
            [this, &session,
             otherwise = std::move(otherwise)](Result<std::vector<wire::Message>> answer) mutable {
                if (!answer) return otherwise();
                auto rows = bus::client_rows(*answer);
                std::erase_if(rows,
                              [&](const auto& row) { return row.name == session.client().options().name; });
                fmt::print("{}", json_ ? bus::client_json(std::move(rows)) + "\n"
                                       : bus::client_table(std::move(rows)));
                session.end(Exit::ok);
            },
            limit);
        if (!asked) session.end_with(asked.error().message);
    }

    BusOptions bus_;
    std::vector<std::string> words_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_clients_command() { return std::make_unique<ClientsCommand>(); }

}  // namespace caribou::app
