#pragma once

#include <memory>
#include <string>

#include "behavior/action.hpp"
#include "robot/cube_behavior.hpp"

namespace caribou::robot {

/// Ensures that a cube is connected, and then delegates to its child, which can rely on that.
///
/// | event                      | reaction                                                         |
/// |----------------------------|------------------------------------------------------------------|
/// | activation                 | subscribes (optional_active), and runs its get-in, if it has one |
/// | connected and the get-in   | delegates to the child; if that declines: failed, with the       |
/// | has ended                  | child's reason                                                   |
/// | connecting failed          | failed                                                           |
/// | the connection is lost     | ends the child; failed                                           |
/// | the child has ended        | ends with the same outcome                                       |
class ConnectToCube final : public CubeBehavior {
public:
    explicit ConnectToCube(std::string id, std::unique_ptr<behavior::Action> get_in = {});

    /// Must be called before the runner initializes the tree.
    void set_child(behavior::Behavior& child) { child_ = &child; }
    void get_all_delegates(behavior::DelegateSet& delegates) const override;

protected:
    void on_activated(behavior::Control& control) override;
    void update(behavior::Control& control) override;
    void connected_callback(cubes::ConnectionType) override { news_ = News::connected; }
    void connection_failed_callback() override { news_ = News::failed; }
    void connection_lost_callback() override { news_ = News::lost; }

private:
    enum class News : std::uint8_t { none, connected, failed, lost };

    void begin_child(behavior::Control& control);

    std::unique_ptr<behavior::Action> get_in_;
    behavior::Behavior* child_ = nullptr;
    News news_ = News::none;
};

}  // namespace caribou::robot
