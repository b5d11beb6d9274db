#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.hpp"
#include "base/result.hpp"
#include "behavior/action.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/facts.hpp"
#include "cubes/cube_system.hpp"
#include "robot/ai_control.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// What behaviors, actions and conditions of a program can use: the same as the built-in ones. Everything
/// outlives the behaviors, and must be used on the thread of the behaviors, on which all their hooks are
/// called.
struct RobotMeans {
    AiControl& control;                    ///< movements and lights of the body, telemetry
    std::shared_ptr<Navigator> navigator;  ///< pose, map, paths, cubes in sight
    cubes::CubeSystem& cubes;              ///< see also robot/cube_behavior.hpp
    const behavior::Facts& facts;          ///< as of this tick
    behavior::FactChanges& changes;        ///< of facts, which take effect before the next tick
    /// The same for a fact that is declared, with a check of its type and range.
    std::function<Result<void>(std::string_view fact, const behavior::Value& value)> set_fact;
    /// Returns an action as described in a file: `{"go_to": 1, "y": 2}`.
    std::function<Result<std::unique_ptr<behavior::Action>>(std::string_view json)> action;
    /// Writes a variable of the bus. Without a bus, or while it is not connected, the value is lost.
    std::function<void(std::string variable, behavior::Value value)> publish;
    Log& log;
};

/// Registers classes, facts, requirements and sensor modes in addition to those of every robot. Called once
/// for the robot, and once for each check of a tree, with means that move nothing.
using AddOwnClasses = std::function<void(behavior::ClassRegistry& classes, const RobotMeans& robot)>;

}  // namespace caribou::robot
