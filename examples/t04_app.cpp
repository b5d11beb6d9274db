// t04: an app. `t04_app --moos_port=9000` connects, and is called five times per second until it has counted
// to five. It accepts the command line of MOOS apps: `--help`.

#include <cstdio>

#include "kit/bus/app_main.hpp"

using namespace caribou;

class Counter final : public bus::App {
public:
    using App::App;

    /// Register variables here. Also called after a reconnect.
    Result<void> on_connect_to_server() override {
        register_variable("COUNT");
        return {};
    }
    /// Receives the mail since the last call, just before iterate.
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
