// `caribou new`: generates a small project that builds and passes its test.

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/result.hpp"
#include "caribou/behavior_names.hpp"
#include "caribou/commands.hpp"
#include "caribou/new_app.hpp"
#include "caribou/new_behavior.hpp"
#include "caribou/new_body.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;

Result<void> write_all(const fs::path& folder, const std::vector<NewFile>& files) {
    std::error_code failed;
    if (fs::exists(folder, failed))
        return fail(Code::already_exists,
                    fmt::format("{} is there already, and stays as it is", folder.string()));
    fs::create_directories(folder, failed);
    if (failed) return fail(Code::io, fmt::format("cannot make {}: {}", folder.string(), failed.message()));
    for (const NewFile& file : files) {
        if (const auto written = write_text_file(folder / file.path, file.text); !written) return written;
        if (file.is_program) fs::permissions(folder / file.path, fs::perms(0755), failed);
    }
    return {};
}

/// One kind of project.
struct ProjectKind {
    const char* word;
    const char* about;
    const char* name_about;
    bool (*is_name)(std::string_view);
    const char* names;  ///< what names consist of
    std::vector<NewFile> (*files)(std::string_view name);
    std::vector<NewFile> (*python_files)(std::string_view name);  ///< null: there is no form in Python
    const char* next;                                             ///< how to build and test it
    const char* python_next;
    std::string (*objection)(std::string_view name, bool in_python) = nullptr;  ///< to the name; may be null
    const char* python_about = "In Python";
};

/// Only in Python, a tree or robot has a behavior of that name.
std::string objection_to_python_behavior(std::string_view name, bool in_python) {
    return in_python ? objection_to_behavior(name, in_python) : "";
}

constexpr const char* small_names =
    "small letters, digits and underscores can, with a letter first, such as patrol";
constexpr const char* build_next = "cmake -B build -G Ninja && cmake --build build && ctest --test-dir build";
constexpr const char* check_next = "caribou robot --check-config --config {}.toml";

constexpr std::array project_kinds{
    ProjectKind{"app", "Create an app with a test, a mission file and build files",
                "Name of the app, such as pDepth", is_app_name,
                "letters, digits and underscores can, with a letter first, such as pDepth", new_app_files,
                nullptr, build_next, nullptr},
    ProjectKind{"body", "Create the driver of a robot base, with its tests and a robot's configuration",
                "Name of the base, such as my_base", is_app_name,
                "letters, digits and underscores can, with a letter first, such as my_base", new_body_files,
                new_python_body_files, build_next, "python3 test_{}.py"},
    ProjectKind{"behavior", "Create a behavior with a test, a tree and a robot",
                "Name of the behavior, such as patrol", is_behavior_name, small_names, new_behavior_files,
                new_python_behavior_files, build_next, check_next, objection_to_behavior},
    ProjectKind{"tree", "Create a tree of behaviors", "Name of the tree, such as patrol", is_behavior_name,
                small_names, new_tree_files, new_python_tree_files, "caribou tree check {}.json",
                "python3 -m pytest -q", objection_to_python_behavior, "With a behavior in Python"},
    ProjectKind{"robot", "Create a simulated robot with a tree", "Name of the robot, such as rover",
                is_behavior_name, small_names, new_robot_files, new_python_behavior_files, check_next,
                check_next, objection_to_python_behavior, "With a behavior in Python"}};

class NewCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand("new", "Create a small project to start from");
        for (std::size_t i = 0; i < project_kinds.size(); ++i) {
            CLI::App* const verb = parser_->add_subcommand(project_kinds[i].word, project_kinds[i].about);
            verb->add_option("NAME", name_, project_kinds[i].name_about)->required();
            verb->add_option("--folder", folder_, "Destination; default: NAME");
            if (project_kinds[i].python_files)
                verb->add_flag("--python", python_, project_kinds[i].python_about);
            verbs_[i] = verb;
        }
        return parser_;
    }

    Exit run() override {
        for (std::size_t i = 0; i < project_kinds.size(); ++i)
            if (verbs_[i]->parsed()) return create(project_kinds[i]);
        fmt::print("{}", parser_->help());
        return Exit::usage;
    }

private:
    Exit create(const ProjectKind& kind) {
        if (!kind.is_name(name_)) {
            const bool is_vowel = std::string_view("aeiou").contains(kind.word[0]);
            fmt::print(stderr, "caribou new {0}: `{1}` cannot name {2} {0}; {3}\n", kind.word, name_,
                       is_vowel ? "an" : "a", kind.names);
            return Exit::usage;
        }
        std::string objection = kind.objection ? kind.objection(name_, python_) : "";
        if (objection.empty() && python_) objection = objection_to_python_file(name_);
        if (!objection.empty()) {
            fmt::print(stderr, "caribou new {}: choose another name than `{}`: {}\n", kind.word, name_,
                       objection);
            return Exit::usage;
        }
        const fs::path folder = folder_.empty() ? name_ : folder_;
        if (const auto written = write_all(folder, (python_ ? kind.python_files : kind.files)(name_));
            !written) {
            fmt::print(stderr, "caribou new {}: {}\n", kind.word, written.error().message);
            return Exit::failed;
        }
        const char* const next = python_ ? kind.python_next : kind.next;
        fmt::print("{0} is in {1}. To {2} it:\n\n  cd {1} && {3}\n", name_, folder.string(),
                   next == build_next ? "build and test" : "check", fmt::format(fmt::runtime(next), name_));
        return Exit::ok;
    }

    CLI::App* parser_ = nullptr;
    std::array<CLI::App*, project_kinds.size()> verbs_{};
    std::string name_;
    std::string folder_;
    bool python_ = false;
};

}  // namespace

std::unique_ptr<Command> make_new_command() { return std::make_unique<NewCommand>(); }

}  // namespace caribou::app
