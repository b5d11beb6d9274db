// t04: an app. `t04_app --moos_port=9000` connects, and is called five times a second until it has
// counted to five. Everything that a MOOS app can be told on its command line it knows: `--help`.

#include <cstdio>

#include "platform/app_main.hpp"

using namespace caribou;

class Counter final : public bus::App {
public:
    using App::App;

    /// The place to register. Also called when the connection was lost and is back.
    Result<void> on_connect_to_server() override {
        register_variable("COUNT");
        return {};
    }
    /// What came since the last time, just before iterate.
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        for (const auto& message : mail) std::printf("%s is %g\n", message.key.c_str(), message.value);
        if (mail.back().value >= 5) quit();
        return {};
    }
    Result<void> iterate() override {
        notify("COUNT", ++count_);
        return {};
    }

private:
    double count_ = 0;
};

int main(int argc, char** argv) { return run_app<Counter>(argc, argv, "t04_app"); }
