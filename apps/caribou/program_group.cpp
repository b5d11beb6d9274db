#include "caribou/program_group.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr Duration grace = 8s;
constexpr std::size_t most_said = 1000;

}  // namespace

ProgramGroup::ProgramGroup(EventLoop& loop, Processes& processes, std::vector<bus::LaunchProgram> programs)
    : loop_(loop), supervisor_(loop, processes, {.programs = std::move(programs), .grace = grace}, *this) {}

std::optional<Address> ProgramGroup::address_after(std::string_view words) const {
    for (std::string_view line : said_) {
        const auto at = line.rfind(words);
        if (at == std::string_view::npos) continue;
        line.remove_prefix(at + words.size());
        while (line.ends_with('/')) line.remove_suffix(1);
        if (auto address = Address::parse(line)) return *address;
    }
    return std::nullopt;
}

std::vector<std::string> ProgramGroup::end() {
    hush();
    if (!supervisor_.over()) supervisor_.stop();
    loop_.run_until([this] { return supervisor_.over(); }, grace + 5s);
    return supervisor_.failures();
}

void ProgramGroup::on_line(std::size_t program, std::string_view line) {
    const std::string& name = supervisor_.plan().programs[program].name;
    if (ending_) return;
    if (shows_) {
        fmt::print("{}: {}\n", name, line);
        std::fflush(stdout);
    } else if (said_.size() < most_said) {
        said_.emplace_back(line);
    }
}

void ProgramGroup::on_note(std::size_t program, std::string_view note) {
    if (ending_ || note.starts_with("started")) return;
    broken_ = true;
    on_line(program, note);
    loop_.stop();
}

}  // namespace caribou::app
