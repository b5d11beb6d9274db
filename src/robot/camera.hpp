#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/canvas.hpp"
#include "base/result.hpp"
#include "loop/strand.hpp"
#include "robot/view_picture.hpp"
#include "views/encodings.hpp"

namespace caribou::robot {

/// A picture as a camera took it: pixels, or a JPEG.
struct CameraShot {
    double time = 0;  ///< UNIX seconds
    std::variant<Image, Bytes> picture{};
};

/// A camera. Works only while it is asked. All calls are on one strand.
class CameraSource {
public:
    using Taken = std::function<void(Result<std::shared_ptr<const CameraShot>>)>;

    virtual ~CameraSource() = default;
    /// Requests the latest picture. `taken` is called once, at once or later: with a picture, which is the
    /// same object as before if there is no newer one, or with the reason why there is none.
    virtual void take(Taken taken) = 0;
};

/// How pictures are encoded; the real functions are in adapters/jpeg. An image has at most
/// wire::CameraImage::max_jpeg bytes.
struct CameraCodec {
    std::function<Result<Bytes>(const Image&, views::CameraEncoding)> encode;
    std::function<Result<Bytes>(ByteView jpeg, views::CameraEncoding)> convert;
};

/// Answers requests for camera images. Nothing is taken or encoded without a request; one picture is encoded
/// once per encoding, however many request it.
class CameraDesk {
public:
    struct Count {
        std::uint64_t taken = 0;
        std::uint64_t encoded = 0;
    };

    /// All arguments outlive it; the source is on the strand.
    CameraDesk(Strand& strand, CameraSource& source, CameraCodec codec);
    CameraDesk(const CameraDesk&) = delete;
    CameraDesk& operator=(const CameraDesk&) = delete;

    /// Requests an image in these encodings. Thread-safe. `tell` is called on the strand.
    void ask(views::CameraEncodings wanted, TellView tell);
    const Count& count() const { return count_; }

    /// How often the reason for a missing picture is published again.
    static constexpr Duration problem_period = std::chrono::seconds(1);

private:
    struct Request {
        views::CameraEncodings wanted;
        TellView tell;
    };

    void look();
    void on_taken(const Result<std::shared_ptr<const CameraShot>>& taken);
    CameraPicture picture_of(const Request& request);
    wire::CameraImage encoded(views::CameraEncoding how);

    Strand& strand_;
    CameraSource& source_;
    CameraCodec codec_;
    std::vector<Request> waiting_;
    bool takes_ = false;
    std::shared_ptr<const CameraShot> shot_;
    CameraPicture latest_{};  ///< of shot_, in the encodings that were requested
    Instant problem_at_{};
    std::string problem_;
    Count count_;
    std::shared_ptr<CameraDesk*> self_;  ///< lets tasks detect destruction
};

/// Returns the picture of a robot that has none.
CameraPicture camera_problem(const std::string& why, double time, std::uint64_t number);
/// The reason, if there is no camera.
inline constexpr std::string_view no_camera =
    "This robot has no camera: camera.command in its configuration names the program of one.";

}  // namespace caribou::robot
