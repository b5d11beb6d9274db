#include "bus/app_trial.hpp"

#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

class Doubler final : public App {
public:
    using App::App;
    Result<void> on_start_up() override {
        if (refuse) return fail(Code::unavailable, "not today");
        return {};
    }
    Result<void> on_connect_to_server() override {
        register_variable("IN");
        register_variable("WORD");
        return {};
    }
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        for (const auto& message : mail)
            if (message.is_number())
                notify("OUT", message.value * 2);
            else
                notify("ECHO", message.payload);
        return {};
    }
    bool refuse = false;
};

TEST(AppTrial, RunsAnAppAmongOthersInVirtualTime) {
    AppTrial trial({.name = "pDoubler", .app_tick = 10});
    Doubler app(trial.frame());
    ASSERT_TRUE(trial.start(app));
    EXPECT_FALSE(trial.latest("OUT"));
    trial.write("IN", 21);
    trial.write("WORD", "hello");
    trial.advance(100ms);
    ASSERT_TRUE(trial.latest("OUT"));
    EXPECT_EQ(trial.latest("OUT")->value, 42);
    EXPECT_EQ(trial.latest("OUT")->source, "pDoubler");
    EXPECT_EQ(trial.latest("ECHO")->payload, "hello");
    trial.advance(5s);
    EXPECT_TRUE(trial.latest("PDOUBLER_STATUS"));
}

TEST(AppTrial, HandsOnWhyAnAppDoesNotStart) {
    AppTrial trial({.name = "pDoubler"});
    Doubler app(trial.frame());
    app.refuse = true;
    EXPECT_FALSE(trial.start(app));
}

}  // namespace
}  // namespace caribou::bus
