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

/// A command of the console, for help.
struct CubeCommand {
    std::string_view usage;
    std::string_view about;
};

/// Takes commands for cubes as lines of text and answers with text: the same ones at a command line
/// and from a page of a running robot. What it has subscribed and what it plays ends with it.
class CubeConsole {
public:
    using ReadFile = std::move_only_function<Result<std::string>(const std::string& path)>;
    using Tell = std::move_only_function<void(const std::string& line)>;

    /// `tell` gets what its subscribers hear, later.
    CubeConsole(CubeSystem& cubes, ReadFile read_file, Tell tell);
    ~CubeConsole();

    /// Does what the line says. Before it surprises the coordinator, the answer says what that will
    /// make of it. invalid_argument: the line makes no sense, and the message says what would.
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
