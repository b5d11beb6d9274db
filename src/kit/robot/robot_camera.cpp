#include "kit/robot/robot_camera.hpp"

#include <utility>

#include <fmt/format.h>

#include "adapters/jpeg/jpeg_codec.hpp"
#include "kit/program/command_check.hpp"
#include "world/camera_view.hpp"

namespace caribou::app {
namespace {

JpegForm form_of(views::CameraEncoding how) {
    return {.half = how != views::CameraEncoding::full, .gray = how == views::CameraEncoding::gray};
}

robot::CameraCodec jpeg_codec() {
    return {.encode = [](const Image& image,
                         views::CameraEncoding how) { return encode_jpeg(image, form_of(how)); },
            .convert =
                [](ByteView jpeg, views::CameraEncoding how) {
                    return convert_jpeg(jpeg, form_of(how), wire::CameraImage::max_jpeg);
                }};
}

/// Renders the world of a simulated body. The world is locked only while what can be seen is copied.
class SimCamera final : public robot::CameraSource {
public:
    SimCamera(Strand& strand, RobotBody& body, RobotCamera::Cubes cubes)
        : strand_(strand), body_(body), cubes_(cubes) {}

    void take(Taken taken) override {
        if (!cubes_.places) return render({}, taken);
        cubes_.strand.post_here([this, taken = std::move(taken)] {
            strand_.post_here([this, taken, lights = cubes_.places->lights()] { render(lights, taken); });
        });
    }

private:
    void render(const std::vector<Pixel>& lights, const Taken& taken) {
        const double time = strand_.loop().clock().unix_seconds();
        const auto scene = body_.camera_scene(lights);
        if (!scene) return taken(fail(Code::unavailable, "A call of the body hangs."));
        taken(std::make_shared<const robot::CameraShot>(
            robot::CameraShot{.time = time, .picture = world::camera_view(*scene)}));
    }

    Strand& strand_;
    RobotBody& body_;
    RobotCamera::Cubes cubes_;
};

}  // namespace

std::unique_ptr<RobotCamera> RobotCamera::make(const robot::RobotConfig& config, RobotBody& body, Cubes cubes,
                                               Log& log) {
    if (config.camera_command.empty() && config.body != "sim") return nullptr;
    auto made = std::unique_ptr<RobotCamera>(new RobotCamera(log));
    if (config.camera_command.empty())
        made->source_ = std::make_unique<SimCamera>(made->thread_.strand, body, cubes);
    else
        made->source_ = std::make_unique<robot::CommandCamera>(made->thread_.thread.loop(), made->processes_,
                                                               config.camera_command, log);
    made->desk_.emplace(made->thread_.strand, *made->source_, jpeg_codec());
    return made;
}

Result<void> RobotCamera::check(const robot::RobotConfig& config) {
    if (config.camera_command.empty()) return {};
    return check_command("camera.command", config.camera_command);
}

}  // namespace caribou::app
