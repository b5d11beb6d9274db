#include "devices/device_kinds.hpp"

#include "devices/board_base.hpp"
#include "devices/create2_base.hpp"
#include "devices/ld_lidar.hpp"
#include "devices/rplidar_lidar.hpp"

namespace caribou::devices {

std::vector<std::string_view> base_kinds() { return {"create2", "board"}; }
std::vector<std::string_view> lidar_kinds() { return {"ld06", "ld19", "a1", "a2", "c1"}; }

std::unique_ptr<Base> make_base(std::string_view kind, const motion::BodyPlan& plan, DevicePort& port,
                                Log& log) {
    if (kind == "create2") return std::make_unique<Create2Base>(port, log);
    if (kind == "board") return std::make_unique<BoardBase>(plan, port, log);
    return nullptr;
}

std::unique_ptr<Lidar> make_lidar(std::string_view kind, DevicePort& port, PointSink& sink, Log& log) {
    if (kind == "ld06" || kind == "ld19") return std::make_unique<LdLidar>(sink);
    if (kind == "a1" || kind == "a2") return std::make_unique<RplidarLidar>(115'200, port, sink, log);
    if (kind == "c1") return std::make_unique<RplidarLidar>(460'800, port, sink, log);
    return nullptr;
}

}  // namespace caribou::devices
