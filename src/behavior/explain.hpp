#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/replay.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_graph.hpp"

namespace caribou::behavior {

/// Explains why a behavior is not active after the current tick of the replay. Returns one sentence per line;
/// indented lines explain the one above.
///
/// | it is                     | the explanation                                                  |
/// |---------------------------|------------------------------------------------------------------|
/// | active                    | the stack, and which behavior has control                        |
/// | in scope and refused      | which gate refused, and the answers of its conditions            |
/// | refused for its delegates | in addition, the explanation of each of them                     |
/// | active before             | in addition, when and how its last activation ended              |
/// | in scope and not asked    | why the behaviors that list it are not active                    |
/// | in scope and not refused  | which behavior has control instead                               |
/// | out of scope              | which behaviors list it, and why those are not active, up to the |
/// |                           | base                                                             |
///
/// `graph` contains which behavior lists which, which recordings do not; if it is null, the explanation of a
/// behavior out of scope ends there. Fails with not_found, and a suggestion, if the id is not in the
/// recording.
Result<std::vector<std::string>> explain(const Replay& replay, std::string_view id, const TreeGraph* graph);

/// Returns a refusal as a sentence, such as "its condition `battery < 20` does not hold".
std::string sentence(const Refused& refused);

/// Returns why an inactive behavior is inactive, and how its last activation ended, such as
/// `no active behavior lists it; it has ended, failed: no map`.
std::string why_inactive(const BehaviorRunner& runner, const Behavior& behavior);
/// The same with the time since then: `it ended 2.1 s ago, failed: no map`.
std::string why_inactive_now(const BehaviorRunner& runner, const Behavior& behavior);

}  // namespace caribou::behavior
