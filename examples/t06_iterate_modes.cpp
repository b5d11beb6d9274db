// t06: iterate modes. The same app in three modes: `t06_iterate_modes --moos_iterate_mode=N`.
//   0  mail is delivered just before iterate, which is called AppTick times per second
//   1  mail is delivered as it arrives, with an iterate after it
//   2  mail is delivered as it arrives, iterate is called on its own grid
// It sends itself messages, and prints how long each took.

#include <algorithm>
#include <cstdio>

#include "kit/bus/app_main.hpp"

using namespace caribou;

class Juggler final : public bus::App {
public:
    using App::App;

    Result<void> on_connect_to_server() override {
        register_variable("BALL");
        throw_ball();
        return {};
    }
    Result<void> on_new_mail(std::span<const wire::Message>) override {
        longest_ = std::max(longest_, now() - thrown_);
        if (++caught_ == 10) {
            std::printf("caught 10 balls in %d iterates; the longest way took %.1f ms\n", iterates_,
                        to_seconds(longest_) * 1000);
            quit();
            return {};
        }
        throw_ball();
        return {};
    }
    Result<void> iterate() override {
        ++iterates_;
        return {};
    }

private:
    void throw_ball() {
        thrown_ = now();
        notify("BALL", caught_ + 1.0);
    }

    int caught_ = 0;
    int iterates_ = 0;
    Instant thrown_{};
    Duration longest_{};
};

int main(int argc, char** argv) { return run_app<Juggler>(argc, argv, "t06_iterate_modes"); }
