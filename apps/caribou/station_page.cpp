#include "caribou/station_page.hpp"

#include <filesystem>

#include "platform/folder_reader.hpp"

namespace caribou::app {

StaticFiles station_page(Log& log) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path beside = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* const folder : {"../share/caribou/web", "../web"}) {
        const fs::path page = beside / folder;
        if (!fs::exists(page / "index.html", failed)) continue;
        auto files = read_folder(page.string());
        if (files) return StaticFiles(std::move(*files));
        log.warning(files.error().message);
    }
    log.warning("there is no page for browsers beside this program; ./run build makes it");
    return {};
}

}  // namespace caribou::app
