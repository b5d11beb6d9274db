#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bus/app.hpp"
#include "bus/app_frame.hpp"

namespace caribou {

using AppMaker = std::move_only_function<std::unique_ptr<bus::App>(bus::AppFrame&)>;

/// The whole of a MOOS app's main(): reads the command line and the mission file, connects, runs
/// until SIGINT, SIGTERM or App::quit. Returns what main() has to: 0 when all went well, 1 when it
/// could not work, 2 when command line or mission file make no sense.
int run_app(int argc, char** argv, std::string name, AppMaker make);

/// `int main(int argc, char** argv) { return caribou::run_app<Depth>(argc, argv, "pDepth"); }`
template <class A>
int run_app(int argc, char** argv, std::string name) {
    return run_app(argc, argv, std::move(name),
                   [](bus::AppFrame& frame) { return std::make_unique<A>(frame); });
}

}  // namespace caribou
