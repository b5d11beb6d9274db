#include "kit/program/station_page.hpp"

#include "kit/program/share_place.hpp"
#include "platform/folder_reader.hpp"

namespace caribou::app {

StaticFiles station_page(Log& log) {
    if (const auto page = share_place("web"); !page.empty()) {
        auto files = read_folder(page.string());
        if (files) return StaticFiles(std::move(*files));
        log.warning(files.error().message);
    }
    log.warning("there is no page for browsers beside this program; ./run build makes it");
    return {};
}

}  // namespace caribou::app
