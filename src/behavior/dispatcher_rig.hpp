#pragma once

#include <map>
#include <string>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {

/// A child for a dispatcher whose answer and end are controlled by the test.
struct Child {
    Scripted* behavior;
    bool willing = true;
    bool is_known = true;  ///< otherwise it answers later
};

/// A rig with children x, y, z for the dispatcher under test.
class DispatcherRig : public Rig {
public:
    DispatcherRig() {
        for (const char* id : {"x", "y", "z"}) {
            Child& child = children[id];
            child.behavior = &make(id);
            child.behavior->in_wants = [&child](const View&) {
                return child.is_known ? Wants(child.willing) : Wants::later("it is not known yet");
            };
        }
    }
    Scripted& operator[](const std::string& id) { return *children.at(id).behavior; }
    void set_willing(const std::string& ids) {
        for (auto& [id, child] : children) child.willing = ids.contains(id);
    }
    /// Makes the child end in its next update.
    void end(const std::string& id, Outcome outcome = Outcome::succeeded()) {
        Scripted& child = (*this)[id];
        child.in_update = [&child, outcome](Control& control) {
            if (!control.is_active()) return;
            (void)control.finish(outcome);
            child.in_update = {};
        };
    }
    /// Makes the child end inside each of its activations.
    void end_at_once(const std::string& id, Outcome outcome = Outcome::succeeded()) {
        (*this)[id].in_activated = [outcome](Control& control) { (void)control.finish(outcome); };
    }
    std::string top() const { return runner->stack().empty() ? "" : runner->stack().back()->id(); }
    /// Returns whether the base ended with this outcome in the last tick.
    bool ended_with(const std::string& text) const {
        return std::ranges::find(changes, "base popped, " + text) != changes.end();
    }

    std::map<std::string, Child> children;
};

}  // namespace caribou::behavior
