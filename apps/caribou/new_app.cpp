#include "caribou/new_app.hpp"

#include <algorithm>
#include <utility>

namespace caribou::app {
namespace {

constexpr std::string_view cmake_lists = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

find_package(caribou 0.2 REQUIRED COMPONENTS bus)

add_executable(@NAME@ main.cpp)
target_link_libraries(@NAME@ PRIVATE caribou::bus)

enable_testing()
add_executable(@NAME@_test @NAME@_test.cpp)
target_link_libraries(@NAME@_test PRIVATE caribou::bus)
add_test(NAME @NAME@_test COMMAND @NAME@_test)
)";

constexpr std::string_view app_header = R"(#pragma once

#include <caribou/bus/app.hpp>

/// Publishes the mean of all values of @UPPER@_IN as @UPPER@_OUT. Replace it by your own code.
class @NAME@ final : public caribou::bus::App {
public:
    explicit @NAME@(caribou::bus::AppFrame& frame) : App(frame) {
        parameters().add("Gain", gain_, {0, 1000}, "Factor of the output");
    }

    caribou::Result<void> on_connect_to_server() override {
        register_variable("@UPPER@_IN");
        return {};
    }
    caribou::Result<void> on_new_mail(std::span<const caribou::wire::Message> mail) override {
        for (const auto& message : mail) {
            sum_ += message.value;
            ++count_;
        }
        return {};
    }
    caribou::Result<void> iterate() override {
        if (count_ > 0) notify("@UPPER@_OUT", gain_ * sum_ / count_);
        return {};
    }

private:
    double gain_ = 1;
    double sum_ = 0;
    int count_ = 0;
};
)";

constexpr std::string_view main_file = R"(#include <caribou/kit/bus/app_main.hpp>

@OWN_HEADER@

int main(int argc, char** argv) { return caribou::run_app<@NAME@>(argc, argv, "@NAME@"); }
)";

constexpr std::string_view test_file =
    R"(// Runs the app in memory and in virtual time, without a broker.
#include <caribou/bus/app_trial.hpp>

#include <cstdio>

@OWN_HEADER@

using namespace std::chrono_literals;

int main() {
    caribou::bus::AppTrial trial({.name = "@NAME@", .app_tick = 10});
    @NAME@ app(trial.frame());
    if (!trial.start(app)) return std::fprintf(stderr, "the app does not start\n"), 1;

    trial.write("@UPPER@_IN", 2);
    trial.write("@UPPER@_IN", 4);
    trial.advance(1s);

    const auto out = trial.latest("@UPPER@_OUT");
    if (!out || out->value != 3) return std::fprintf(stderr, "expected 3, the mean of 2 and 4\n"), 1;
    return 0;
}
)";

constexpr std::string_view mission_file = R"(// `caribou launch @NAME@.moos` starts a broker and the app.
ServerHost = localhost
ServerPort = 9000
Community  = home

ProcessConfig = ANTLER
{
  MSBetweenLaunches = 200
  ExecutablePath    = build
  Run = MOOSDB @ NewConsole = false
  Run = @NAME@ @ NewConsole = false, Restart = on-failure
}

ProcessConfig = @NAME@
{
  AppTick = 10
  Gain    = 1
}
)";

constexpr std::string_view readme = R"(# @NAME@

```
cmake -B build -G Ninja && cmake --build build    # set CMAKE_PREFIX_PATH if caribou is not found
ctest --test-dir build
caribou launch @NAME@.moos                        # starts a broker and the app; Ctrl-C stops both
```

`@NAME@.hpp` is the app, `@NAME@_test.cpp` its test, `@NAME@.moos` its mission.
`build/@NAME@ --help` lists its options, `build/@NAME@ --moos_print_example` its parameters.
)";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string upper(std::string_view text) {
    std::string upper(text);
    for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return upper;
}

std::string filled(std::string_view pattern, std::string_view name) {
    using Fill = std::pair<std::string_view, std::string>;
    std::string text(pattern);
    for (const auto& [mark, value] : {Fill{"@OWN_HEADER@", "#include \"@NAME@.hpp\""}, Fill{"@NAME@", name},
                                      Fill{"@UPPER@", upper(name)}})
        for (std::size_t at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + value.size()))
            text.replace(at, mark.size(), value);
    return text;
}

}  // namespace

bool is_app_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && is_letter(name.front()) &&
           std::ranges::all_of(name,
                               [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<NewFile> new_app_files(std::string_view name) {
    const std::string base(name);
    std::vector<NewFile> files{
        {"CMakeLists.txt", std::string(cmake_lists)}, {base + ".hpp", std::string(app_header)},
        {"main.cpp", std::string(main_file)},         {base + "_test.cpp", std::string(test_file)},
        {base + ".moos", std::string(mission_file)},  {"README.md", std::string(readme)}};
    for (NewFile& file : files) file.text = filled(file.text, name);
    return files;
}

}  // namespace caribou::app
