#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bus/app.hpp"
#include "bus/app_frame.hpp"
#include "loop/network.hpp"

namespace caribou {

using AppMaker = std::move_only_function<std::unique_ptr<bus::App>(bus::AppFrame&)>;
/// For an app that has sockets of its own; the network is on the thread of the app.
using NetworkAppMaker = std::move_only_function<std::unique_ptr<bus::App>(bus::AppFrame&, Network&)>;

/// The complete main() of a MOOS app: reads the command line and the mission file, connects, and runs until
/// SIGINT, SIGTERM or App::quit. Returns the exit status: 0 on success, 1 on a run-time error, 2 if the
/// command line or the mission file is invalid.
int run_app(int argc, char** argv, std::string name, AppMaker make);
/// The same with other defaults, of which `name` must be set.
int run_app(int argc, char** argv, bus::AppSettings defaults, NetworkAppMaker make);

/// `int main(int argc, char** argv) { return caribou::run_app<Depth>(argc, argv, "pDepth"); }`
template <class A>
int run_app(int argc, char** argv, std::string name) {
    return run_app(argc, argv, std::move(name),
                   [](bus::AppFrame& frame) { return std::make_unique<A>(frame); });
}

}  // namespace caribou
