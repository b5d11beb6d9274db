// t05: parameters. `t05_parameters examples/missions/depth.moos` reads its block of the mission file; the
// same in TOML is depth.toml. Try a wrong key, a text for a number, or a depth of 5000: the error names the
// line and what is expected. `--moos_print_example` prints a block to start from.

#include <cstdio>

#include "kit/bus/app_main.hpp"

using namespace caribou;

class Diver final : public bus::App {
public:
    /// A parameter has a name, a variable with its default, a range and a description.
    explicit Diver(bus::AppFrame& frame) : App(frame) {
        parameters().add("TargetDepth", target_depth_, {0, 1000}, "Metres to dive to");
        parameters().add("DiveRate", dive_rate_, {0.1, 50}, "Metres a second");
        parameters().add("Greeting", greeting_, "What to say on the way down");
    }
    /// The parameters are filled in before this call.
    Result<void> on_start_up() override {
        std::printf("%s: to %g m at %g m/s\n", greeting_.c_str(), target_depth_, dive_rate_);
        return {};
    }
    Result<void> iterate() override {
        depth_ += dive_rate_ / 10;  // AppTick = 10 in the mission file
        notify("DEPTH", depth_);
        if (depth_ < target_depth_) return {};
        std::printf("arrived at %g m\n", depth_);
        quit();
        return {};
    }

private:
    double target_depth_ = 30;
    double dive_rate_ = 1;
    std::string greeting_ = "diving";
    double depth_ = 0;
};

int main(int argc, char** argv) { return run_app<Diver>(argc, argv, "t05_parameters"); }
