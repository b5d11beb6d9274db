#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bus/app.hpp"
#include "marine/helm.hpp"

namespace caribou::marine {

/// A helm on the bus: decides on heading and speed by a tree of behaviors.
class HelmApp final : public bus::App {
public:
    /// Returns the contents of the file named in the mission, and its path for messages.
    using ReadFile = std::function<Result<std::pair<std::string, std::string>>(const std::string& name)>;

    HelmApp(bus::AppFrame& frame, ReadFile read);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    Result<void> check_behaviors(const std::string& name) const;

    ReadFile read_;
    std::string behaviors_;
    bool start_in_drive_ = false;
    double skew_limit_ = 60;
    std::unique_ptr<Helm> helm_;
    std::uint64_t iteration_ = 0;
    bool lacked_nav_ = false;
};

}  // namespace caribou::marine
