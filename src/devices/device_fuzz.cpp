#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "base/log.hpp"
#include "devices/create2_codec.hpp"
#include "devices/device_body.hpp"
#include "devices/device_kinds.hpp"
#include "devices/ld_codec.hpp"
#include "devices/rplidar_codec.hpp"

/// Any bytes from a serial port, in two pieces, to each base and each lidar. Nothing is kept without a limit,
/// and every scan is one that a robot accepts.
namespace {

using namespace caribou;
using namespace caribou::devices;

class NoPort final : public DevicePort {
public:
    void write(ByteView) override {}
    void set_lines(bool, bool) override {}
    void set_baud(int) override {}
    void discard_input() override {}
};

/// What a reader keeps is less than one whole frame.
template <class Reader>
void read_all(ByteView bytes, std::size_t frame) {
    Reader reader;
    for (const ByteView piece : {bytes.first(bytes.size() / 2), bytes.subspan(bytes.size() / 2)}) {
        reader.add(piece);
        while (reader.next()) {}
        check(reader.kept() < frame, "only the beginning of a frame is kept");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView bytes = std::as_bytes(std::span(data, size));
    read_all<create2::StreamReader>(bytes, create2::StreamReader::most);
    read_all<ld::FrameReader>(bytes, ld::frame_size);
    read_all<rplidar::NodeReader>(bytes, 10);
    read_all<rplidar::CapsuleReader>(bytes, rplidar::CapsuleReader::size);
    NoPort port;
    NullLog log;
    const motion::BodyPlan plan{.sensors = {{"encoder_right", motion::SensorKind::encoder_right},
                                            {"encoder_left", motion::SensorKind::encoder_left},
                                            {"bumper", motion::SensorKind::bumper}}};
    for (const std::string_view kind : base_kinds()) {
        const auto base = make_base(kind, plan, port, log);
        DeviceBody body(*base, DeviceBody::LidarOptions{});
        for (const std::string_view each : lidar_kinds()) {
            const auto lidar = make_lidar(each, port, body.scans(), log);
            Instant now{std::chrono::seconds(1)};
            base->begin(now);
            lidar->begin(now);
            for (const ByteView piece : {bytes.first(size / 2), bytes.subspan(size / 2)}) {
                now += std::chrono::milliseconds(20);
                base->on_bytes(piece, now);
                lidar->on_bytes(piece, now);
                base->tick(now);
                lidar->tick(now);
                body.tick(now);
                for (std::size_t i = 0; i < body.plan().sensors.size(); ++i) body.read(i);
            }
        }
    }
    return 0;
}
