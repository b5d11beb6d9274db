#include "kit/robot/behavior_programs.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kit/program/command_check.hpp"
#include "robot/program_classes.hpp"

namespace caribou::app {
namespace {

constexpr std::size_t most_printed = 2000;
constexpr std::size_t most_shown = 80;  ///< of a line that is not of the protocol

std::vector<std::string> words_of(const std::string& program) {
    if (program.ends_with(".py")) return {"python3", program};
    return {program};
}

/// Takes the first line of a program, and what it prints besides.
class FirstLine final : public ProcessEvents {
public:
    void on_line(std::string_view line) override {
        if (printed.size() < most_printed) printed.append(line).push_back('\n');
    }
    bool wants_bytes() const override { return true; }
    bool wants_input() const override { return true; }
    void on_bytes(ByteView bytes) override {
        if (is_over()) return;
        line += text_of(bytes);
        if (line.size() > robot::BehaviorProgram::max_line) ended = ProcessEnd{};
    }
    void on_end(const ProcessEnd& end) override { ended = end; }
    bool is_over() const { return ended || line.find('\n') != std::string::npos; }

    std::string line;
    std::string printed;
    std::optional<ProcessEnd> ended;
};

Result<data::ProgramHello> describe(const std::vector<std::string>& words) {
    EventLoop loop;
    SystemProcesses processes(loop);
    FirstLine first;
    const auto process = processes.start(words, first);
    if (!process) return fail(process.error());
    loop.run_until([&] { return first.is_over(); }, robot::BehaviorProgram::start_limit);
    const std::size_t end = first.line.find('\n');
    if (end == std::string::npos)
        return fail(
            Code::unavailable,
            fmt::format("{}{}{}",
                        first.ended ? "it has ended without a description of its classes; a program in "
                                      "Python ends with caribou.run_behaviors()"
                                    : "it has not described its classes within 30 s",
                        first.printed.empty() ? "" : "; it printed:\n", first.printed));
    const std::string_view line = std::string_view(first.line).substr(0, end);
    if (!line.starts_with('{'))
        return fail(Code::malformed,
                    fmt::format("expected the description of its classes on standard output, found `{}`; "
                                "standard output belongs to the protocol: print to standard error, and call "
                                "caribou.run_behaviors()",
                                line.substr(0, most_shown)));
    return robot::read_program_hello(line);
}

}  // namespace

Result<std::vector<DescribedProgram>> describe_programs(const robot::RobotConfig& config) {
    std::vector<DescribedProgram> programs;
    for (const std::string& name : config.ai_programs) {
        DescribedProgram program{name, words_of(name), {}};
        if (const auto found = check_command("ai.programs", program.words); !found)
            return fail(found.error());
        auto hello = describe(program.words);
        if (!hello)
            return fail(hello.error().code, fmt::format("ai.programs: {}: {}", name, hello.error().message));
        program.hello = std::move(*hello);
        programs.push_back(std::move(program));
    }
    return programs;
}

robot::AddOwnClasses with_programs(robot::AddOwnClasses own, std::vector<DescribedProgram> programs,
                                   std::shared_ptr<std::string> error) {
    return [own = std::move(own), programs = std::move(programs), error = std::move(error)](
               behavior::ClassRegistry& classes, const robot::RobotMeans& means) {
        if (own) own(classes, means);
        for (const DescribedProgram& program : programs)
            if (const auto added = robot::register_program_classes(classes, program.hello, nullptr);
                !added && error->empty())
                *error = fmt::format("ai.programs: {}: {}", program.name, added.error().message);
    };
}

BehaviorPrograms::BehaviorPrograms(EventLoop& loop, const std::vector<DescribedProgram>& programs, Log& log)
    : processes_(loop), log_(log), described_(programs) {
    for (const DescribedProgram& program : described_)
        programs_.push_back(
            std::make_shared<robot::BehaviorProgram>(loop, processes_, program.words, program.name, log));
}

void BehaviorPrograms::add(behavior::ClassRegistry& classes, const robot::RobotMeans& means) {
    for (std::size_t i = 0; i < programs_.size(); ++i) {
        programs_[i]->use(means);
        if (const auto added = robot::register_program_classes(classes, described_[i].hello, programs_[i]);
            !added)
            log_.error(fmt::format("ai.programs: {}: {}", described_[i].name, added.error().message));
    }
}

void BehaviorPrograms::start() {
    for (const auto& program : programs_) program->start();
}

void BehaviorPrograms::on_tick(const behavior::Difference& difference) {
    for (const auto& program : programs_) program->flush(difference.tick);
}

}  // namespace caribou::app
