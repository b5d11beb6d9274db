#include "kit/program/share_place.hpp"

#include <sstream>
#include <string>

#include "platform/environment.hpp"

namespace caribou::app {

namespace fs = std::filesystem;

fs::path own_program() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return failed ? fs::path("caribou") : self;
}

namespace {

/// Returns the file or folder that is installed with the program in the folder `beside`; empty if none is.
fs::path share_beside(const fs::path& beside, std::string_view name) {
    std::error_code failed;
    for (const char* const folder : {"../share/caribou", "..", "../../examples"}) {
        const fs::path place = beside / folder / name;
        if (fs::exists(place, failed)) return place.lexically_normal();
    }
    return {};
}

}  // namespace

fs::path share_place(std::string_view name) {
    if (fs::path own = share_beside(own_program().parent_path(), name); !own.empty()) return own;
    // A program of a user, such as a robot with behaviors of its own.
    std::stringstream folders(environment("PATH").value_or(""));
    std::error_code failed;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const fs::path program = fs::canonical(fs::path(folder) / "caribou", failed); !failed)
            return share_beside(program.parent_path(), name);
    return {};
}

}  // namespace caribou::app
