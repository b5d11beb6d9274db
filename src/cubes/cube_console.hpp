#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cubes/cube_system.hpp"

namespace caribou::cubes {

/// A command of the console, for the help text.
struct CubeCommand {
    std::string_view usage;
    std::string_view about;
};

/// Executes commands for cubes, given as lines of text, and returns text. The same commands are available on
/// the command line and on the page of a running robot. Its subscriptions and lights end when it is
/// destroyed.
class CubeConsole {
public:
    using ReadFile = std::move_only_function<Result<std::string>(const std::string& path)>;
    using Tell = std::move_only_function<void(const std::string& line)>;

    /// Takes a function that reads files, and one that later receives the callbacks of its subscribers.
    CubeConsole(CubeSystem& cubes, ReadFile read_file, Tell tell);
    ~CubeConsole();

    /// Executes a command. If it bypasses the coordinator, the reply explains how the coordinator will react.
    /// Returns Code::invalid_argument if the line is malformed; the message explains the correct usage.
    Result<std::string> run(std::string_view line);

    static const std::vector<CubeCommand>& commands();

private:
    class Subscriber;
    using Words = std::vector<std::string>;

    Result<std::string> run(const std::string& command, const Words& words);
    static std::string help();
    Result<std::string> list() const;
    Result<std::string> status() const;
    Result<std::string> connect(const Words& words);
    Result<std::string> disconnect();
    Result<std::string> prefer(const Words& words);
    Result<std::string> show(const LightPattern& pattern, const std::string& what);
    Result<std::string> lights(const Words& words);
    Result<std::string> subscribe(const Words& words);
    Result<std::string> unsubscribe(const Words& words);

    CubeSystem& cubes_;
    ReadFile read_file_;
    Tell tell_;
    std::map<std::string, std::unique_ptr<Subscriber>> subscribers_;
    LightPlay play_;
};

}  // namespace caribou::cubes
