#include "caribou/station_keys.hpp"

#include <fmt/format.h>

namespace caribou::app {

Result<std::unique_ptr<StationKeys>> StationKeys::open(const station::StationConfig& config,
                                                       const KeyFolder& folder, Loop& loop, Network& below,
                                                       Log& log) {
    if (config.plain) return nullptr;
    std::unique_ptr<StationKeys> keys(new StationKeys(folder, loop, below, log));
    if (keys->ring_.size() == 0 && !config.listen.is_loopback())
        return fail(Code::not_found,
                    fmt::format("no keys in {}: run `caribou pair make ROBOT` here, and `caribou pair add "
                                "station` on the robot",
                                folder.path().string()));
    return keys;
}

}  // namespace caribou::app
