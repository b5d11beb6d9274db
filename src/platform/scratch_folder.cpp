#include "platform/scratch_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <string>

#include "platform/system_error.hpp"

namespace caribou {

namespace fs = std::filesystem;

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::make(std::string_view name) {
    std::error_code failed;
    fs::path below = fs::temp_directory_path(failed);
    if (failed) below = "/tmp";
    std::string path = below / (std::string(name) + ".XXXXXX");
    if (::mkdtemp(path.data()) == nullptr) return fail(system_error("cannot make the folder " + path, errno));
    return std::unique_ptr<ScratchFolder>(new ScratchFolder(std::move(path)));
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace caribou
