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

std::size_t ProgramGroup::index_of(std::string_view name) const {
    const auto& programs = supervisor_.plan().programs;
    return static_cast<std::size_t>(std::ranges::find(programs, name, &bus::LaunchProgram::name) -
                                    programs.begin());
}

void ProgramGroup::start_again(std::string_view name, bus::Supervisor::OnStarted on_started) {
    supervisor_.start_again(index_of(name), [this, name = std::string(name), told = std::move(on_started)](
                                                const Result<std::string>& outcome) {
        if (outcome) ended_.erase(name);
        told(outcome);
    });
}

void ProgramGroup::write(std::string_view name, std::string_view line) {
    supervisor_.write(index_of(name), line);
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

void ProgramGroup::kill() {
    hush();
    // The second call kills what the first one has requested to exit.
    for (int call = 0; call < 2 && !supervisor_.over(); ++call) supervisor_.stop();
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
