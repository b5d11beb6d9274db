#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loop/loop.hpp"
#include "loop/process.hpp"

namespace caribou {

/// Takes the place of the process of a program with behaviors: a function of the same process plays it, in
/// virtual time.
class PlayedProgram final : public Processes {
public:
    /// Returns what the program prints, with line ends: for an empty line, at its start or after a pause;
    /// otherwise for a line of the robot.
    using Exchange = std::function<std::string(std::string_view line)>;
    /// Interval of the calls with an empty line.
    static constexpr Duration pause = std::chrono::milliseconds(40);

    /// The loop must outlive this object.
    PlayedProgram(Loop& loop, Exchange exchange);

    Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                           ProcessEvents& events) override;

private:
    class Connection;

    Loop& loop_;
    Exchange exchange_;
};

}  // namespace caribou
