#include "robot/camera.hpp"

#include <utility>

namespace caribou::robot {

CameraPicture camera_problem(const std::string& why, double time, std::uint64_t number) {
    CameraPicture picture{.number = number};
    picture.images.fill(
        std::make_shared<const wire::CameraImage>(wire::CameraImage{.time = time, .problem = why}));
    return picture;
}

CameraDesk::CameraDesk(Strand& strand, CameraSource& source, CameraCodec codec)
    : strand_(strand),
      source_(source),
      codec_(std::move(codec)),
      self_(std::make_shared<CameraDesk*>(this)) {}

void CameraDesk::ask(views::CameraEncodings wanted, TellView tell) {
    strand_.post_here(
        [weak = std::weak_ptr(self_), request = Request{std::move(wanted), std::move(tell)}]() mutable {
            const auto self = weak.lock();
            if (!self) return;
            (*self)->waiting_.push_back(std::move(request));
            (*self)->look();
        });
}

void CameraDesk::look() {
    if (takes_ || waiting_.empty()) return;
    takes_ = true;
    source_.take([this](const Result<std::shared_ptr<const CameraShot>>& taken) { on_taken(taken); });
}

void CameraDesk::on_taken(const Result<std::shared_ptr<const CameraShot>>& taken) {
    takes_ = false;
    if (!taken) {
        const Instant now = strand_.loop().clock().now();
        const bool is_due = shot_ || problem_ != taken.error().message || now >= problem_at_ + problem_period;
        shot_.reset();
        problem_ = taken.error().message;
        if (is_due) {
            problem_at_ = now;
            latest_ = camera_problem(problem_, strand_.loop().clock().unix_seconds(), latest_.number + 1);
        }
    } else if (*taken != shot_) {
        shot_ = *taken;
        problem_.clear();
        latest_ = {.number = latest_.number + 1};
        ++count_.taken;
    }
    for (const Request& request : std::exchange(waiting_, {})) request.tell(picture_of(request));
}

CameraPicture CameraDesk::picture_of(const Request& request) {
    CameraPicture picture{.number = latest_.number};
    for (const views::CameraEncoding how : request.wanted) {
        auto& image = latest_.images.at(static_cast<std::size_t>(how));
        if (!image) image = std::make_shared<const wire::CameraImage>(encoded(how));
        picture.images.at(static_cast<std::size_t>(how)) = image;
    }
    return picture;
}

wire::CameraImage CameraDesk::encoded(views::CameraEncoding how) {
    ++count_.encoded;
    const auto* const pixels = std::get_if<Image>(&shot_->picture);
    auto jpeg = pixels ? codec_.encode(*pixels, how) : codec_.convert(std::get<Bytes>(shot_->picture), how);
    if (!jpeg)
        return {.time = shot_->time,
                .problem = "An image of the camera is not usable: " + jpeg.error().message};
    return {.time = shot_->time, .jpeg = std::move(*jpeg)};
}

}  // namespace caribou::robot
