#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/replay.hpp"
#include "behavior/tree_graph.hpp"

namespace caribou::behavior {

/// Answers "why is it not active", after the tick at which the replay stands, in sentences; those
/// that are indented explain the one above.
///
/// | it is                     | the answer                                                       |
/// |---------------------------|------------------------------------------------------------------|
/// | active                    | since where, and to whom it has delegated                        |
/// | in scope and refused      | which gate said no, and how its conditions stand                 |
/// | in scope and not refused  | who has control in its place                                     |
/// | out of scope              | who could list it, and why those are not active, up to the base  |
///
/// The graph tells who lists whom, which recordings do not; without it (null) the last answer ends
/// there. not_found: no such id in the recording, with a suggestion.
Result<std::vector<std::string>> explain(const Replay& replay, std::string_view id, const TreeGraph* graph);

/// A refusal as a sentence: "its condition `battery < 20` does not hold".
std::string sentence(const Refused& refused);

}  // namespace caribou::behavior
