#include "caribou/program_group.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr Duration grace = 8s;
constexpr std::size_t most_said = 1000;

}  // namespace

ProgramGroup::ProgramGroup(EventLoop& loop, Processes& processes, std::vector<bus::LaunchProgram> programs,
                           WhenOneEnds then)
    : loop_(loop),
      then_(then),
      supervisor_(loop, processes, {.programs = std::move(programs), .grace = grace}, *this) {}

bool ProgramGroup::start_again(std::string_view name) {
    const auto& programs = supervisor_.plan().programs;
    const auto found = std::ranges::find(programs, name, &bus::LaunchProgram::name);
    if (found == programs.end() ||
        !supervisor_.start_again(static_cast<std::size_t>(found - programs.begin())))
        return false;
    ended_.erase(std::string(name));
    return true;
}

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
    auto failures = supervisor_.failures();
    std::erase_if(failures, [this](const std::string& name) { return ended_.contains(name); });
    return failures;
}

void ProgramGroup::on_line(std::size_t program, std::string_view line) {
    const std::string& name = supervisor_.plan().programs[program].name;
    if (ending_ || (take_ && take_(line))) return;
    if (shows_) {
        fmt::print("{}: {}\n", name, line);
        std::fflush(stdout);
    } else if (said_.size() < most_said) {
        said_.emplace_back(line);
    }
}

void ProgramGroup::on_note(std::size_t program, std::string_view note) {
    if (ending_ || note.starts_with("started")) return;
    on_line(program, note);
    if (then_ == WhenOneEnds::go_on) {
        ended_.insert(supervisor_.plan().programs[program].name);
        return;
    }
    broken_ = true;
    loop_.stop();
}

}  // namespace caribou::app
