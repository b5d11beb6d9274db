// `caribou new`: generates a small project that builds and passes its test.

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/result.hpp"
#include "caribou/commands.hpp"
#include "caribou/new_app.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;

Result<void> write_all(const fs::path& folder, std::string_view name) {
    std::error_code failed;
    if (fs::exists(folder, failed))
        return fail(Code::already_exists,
                    fmt::format("{} is there already, and stays as it is", folder.string()));
    fs::create_directories(folder, failed);
    if (failed) return fail(Code::io, fmt::format("cannot make {}: {}", folder.string(), failed.message()));
    for (const NewFile& file : new_app_files(name))
        if (const auto written = write_text_file(folder / file.path, file.text); !written) return written;
    return {};
}

class NewCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("new", "Write something to start from");
        app_ = parser_->add_subcommand("app", "An app with its test, its mission and what builds them");
        app_->add_option("NAME", name_, "Name of the app, such as pDepth")->required();
        app_->add_option("--folder", folder_, "Where to put it; NAME unless told");
        return parser_;
    }

    Exit run() override {
        if (!app_->parsed()) {
            fmt::print("{}", parser_->help());
            return Exit::usage;
        }
        if (!is_app_name(name_)) {
            fmt::print(
                stderr,
                "caribou new app: `{}` cannot name an app; letters, digits and underscores can, with a "
                "letter first, such as pDepth\n",
                name_);
            return Exit::usage;
        }
        const fs::path folder = folder_.empty() ? name_ : folder_;
        if (const auto written = write_all(folder, name_); !written) {
            fmt::print(stderr, "caribou new app: {}\n", written.error().message);
            return Exit::failed;
        }
        fmt::print(
            "{0} is in {1}. To build and test it:\n\n"
            "  cd {1} && cmake -B build -G Ninja && cmake --build build && ctest --test-dir build\n",
            name_, folder.string());
        return Exit::ok;
    }

private:
    CLI::App* parser_ = nullptr;
    CLI::App* app_ = nullptr;
    std::string name_;
    std::string folder_;
};

}  // namespace

std::unique_ptr<Command> make_new_command() { return std::make_unique<NewCommand>(); }

}  // namespace caribou::app
