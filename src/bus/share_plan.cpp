#include "bus/share_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "bus/parameters.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

using Kind = MissionFinding::Kind;

class SharePlanner {
public:
    explicit SharePlanner(const Mission& mission) : mission_(mission), findings_(mission.findings) {}

    Result<SharePlan> plan() {
        Parameters globals;
        globals.add("name", plan_.client_name, "");
        fill(globals, mission_.settings);
        for (const MissionBlock& block : mission_.blocks)
            if (same_key(block.name, "community")) read_community(block);
        for (const MissionBlock& block : mission_.blocks) {
            if (same_key(block.name, "share"))
                read_share(block);
            else if (!same_key(block.name, "community"))
                error(block.line,
                      fmt::format("unknown key `{}`{}", block.name,
                                  instead_of(block.name, std::vector<std::string>{"community", "share"})));
        }
        if (plan_.peers.size() < 2) error(1, "sharing requires two communities: write `[[community]]` twice");
        const auto is_share = [](const MissionBlock& block) { return same_key(block.name, "share"); };
        if (std::ranges::none_of(mission_.blocks, is_share))
            error(1, "nothing to share: there is no `[[share]]`");
        if (has_errors(findings_)) return fail(Code::invalid_argument, error_lines(mission_.path, findings_));
        return std::move(plan_);
    }

private:
    void error(std::size_t line, std::string text) {
        findings_.push_back({Kind::error, line, std::move(text)});
    }
    void fill(Parameters& parameters, const std::vector<MissionSetting>& settings) {
        for (auto& finding : parameters.fill(settings)) findings_.push_back(std::move(finding));
    }

    void read_community(const MissionBlock& block) {
        std::string name;
        std::string host = "127.0.0.1";
        int port = 9000;
        Parameters parameters;
        parameters.add("name", name, "");
        parameters.add("host", host, "");
        parameters.add("port", port, {1, 65535}, "");
        fill(parameters, block.settings);
        if (name.empty()) return error(block.line, "a community needs a name: `name = \"alpha\"`");
        if (find(name)) return error(block.line, fmt::format("two communities are named {}", name));
        plan_.peers.push_back({name, Address::ip(host, static_cast<std::uint16_t>(port))});
    }

    std::optional<std::size_t> find(std::string_view name) const {
        const auto found = std::ranges::find(plan_.peers, name, &SharePeer::name);
        if (found == plan_.peers.end()) return std::nullopt;
        return static_cast<std::size_t>(found - plan_.peers.begin());
    }

    std::optional<std::size_t> peer(std::string_view key, const std::string& name, std::size_t line) {
        if (const auto found = find(name)) return found;
        std::vector<std::string> names;
        for (const SharePeer& each : plan_.peers) names.push_back(each.name);
        error(line, name.empty()
                        ? fmt::format("a share needs `{} = \"…\"`, the name of a community", key)
                        : fmt::format("there is no community `{}`{}", name, instead_of(name, names)));
        return std::nullopt;
    }

    void read_share(const MissionBlock& block) {
        std::string from;
        std::string to;
        std::string as;
        std::vector<std::string> variables;
        double interval = 0;
        bool both_ways = false;
        Parameters parameters;
        parameters.add("from", from, "");
        parameters.add("to", to, "");
        parameters.add("variables", variables, "");
        parameters.add("as", as, "");
        parameters.add("interval", interval, {0, 86400}, "");
        parameters.add("both_ways", both_ways, "");
        fill(parameters, block.settings);
        const auto source = peer("from", from, block.line);
        const auto target = peer("to", to, block.line);
        if (variables.empty()) error(block.line, "a share needs `variables = [\"…\"]`");
        if (!source || !target) return;
        if (source == target) return error(block.line, fmt::format("`from` and `to` are both {}", from));
        if (both_ways && !as.empty())
            return error(block.line,
                         "a value renamed in one direction would be renamed again in the other: write one "
                         "`[[share]]` per direction");
        for (const std::string& variable : variables) {
            if (const auto why = wrong_name(variable, as, variables.size()); !why.empty()) {
                error(block.line, why);
                continue;
            }
            const ShareRoute route{*source, *target, variable, as.empty() ? variable : as,
                                   from_seconds(interval)};
            plan_.routes.push_back(route);
            if (both_ways) plan_.routes.push_back({*target, *source, variable, variable, route.interval});
        }
    }

    static std::string wrong_name(std::string_view variable, std::string_view as, std::size_t count) {
        if (variable.empty()) return "a variable needs a name";
        if (as.empty()) return "";
        const auto stars = std::ranges::count(as, '*');
        if (!is_pattern(variable))
            return count == 1 && stars == 0
                       ? ""
                       : fmt::format("`as` names one variable, not several: {}", variable);
        const bool one_star = std::ranges::count(variable, '*') == 1 && !variable.contains('?');
        if (one_star && stars == 1 && !as.contains('?')) return "";
        return fmt::format("to rename by a pattern, `{}` and `{}` must have exactly one `*` each and no `?`",
                           variable, as);
    }

    const Mission& mission_;
    std::vector<MissionFinding> findings_;
    SharePlan plan_;
};

}  // namespace

bool is_share_plan(const Mission& mission) { return mission.find_block("community") != nullptr; }

Result<SharePlan> plan_share(const Mission& mission) { return SharePlanner(mission).plan(); }

std::string name_over_there(const ShareRoute& route, std::string_view variable) {
    if (route.variable == variable) return route.as;
    // DB_ variables are only shared by their full names, not by patterns.
    if (!glob_matches(route.variable, variable) || variable.starts_with("DB_")) return "";
    if (route.as == route.variable) return std::string(variable);
    const std::size_t star = route.variable.find('*');
    const std::string_view middle = variable.substr(star, variable.size() - (route.variable.size() - 1));
    std::string name = route.as;
    return name.replace(name.find('*'), 1, middle);
}

}  // namespace caribou::bus
