#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/assignment.hpp"
#include "bus/client.hpp"

namespace caribou::bus {

/// Publishes values and verifies that the broker has accepted them. A broker silently ignores a value whose
/// type differs from the variable's, so the current values are requested first, and the new ones afterwards.
/// The answer to a server request shows that all earlier mail has arrived.
class Poke {
public:
    using Done = std::move_only_function<void(Result<void>)>;

    /// The client must be connected and must outlive this object, which replaces its handlers for these
    /// variables.
    Poke(Client& client, std::vector<Assignment> values);
    ~Poke();
    Poke(const Poke&) = delete;
    Poke& operator=(const Poke&) = delete;

    /// Calls `done` with the result. If any value has the wrong type, none is written (refused). Fails as
    /// well if the broker did not accept a value.
    void start(Done done);

private:
    void hear(const wire::MessageView& message);
    /// Sends a small request and calls `next` when its answer shows that everything sent before has been
    /// processed.
    void then(void (Poke::*next)());
    void write();
    void verify();
    void end(Result<void> outcome);

    Client& client_;
    std::vector<Assignment> values_;
    std::map<std::string, wire::Message, std::less<>> held_;  ///< values of the variables before the write
    std::vector<bool> arrived_;                               ///< per value
    bool written_ = false;
    Done done_;
};

}  // namespace caribou::bus
