#pragma once

#include <functional>
#include <memory>

#include "base/result.hpp"
#include "behavior/class_registry.hpp"
#include "data/program_hello.hpp"
#include "robot/behavior_program.hpp"

namespace caribou::robot {

/// Registers the classes and facts of a program. `program` is null if trees are only checked: their objects
/// then never want control, and their conditions never hold. Fails, with nothing registered, if a name is
/// malformed or taken.
Result<void> register_program_classes(behavior::ClassRegistry& classes, const data::ProgramHello& hello,
                                      std::shared_ptr<BehaviorProgram> program);

}  // namespace caribou::robot
