#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bus/assignment.hpp"
#include "bus/client.hpp"

namespace caribou::bus {

/// Writes values and makes sure that they arrived. A broker passes over a value of another type than
/// the variable's without a word, so it is asked first what the variables hold, and afterwards
/// whether the values are there. A server request is what tells that all mail before it has come.
class Poke {
public:
    using Done = std::move_only_function<void(Result<void>)>;

    /// The client is connected and outlives this; its handlers for these variables are taken.
    Poke(Client& client, std::vector<Assignment> values);
    ~Poke();
    Poke(const Poke&) = delete;
    Poke& operator=(const Poke&) = delete;

    /// Nothing is written if any of the values has the wrong type (refused), and it is told if the
    /// broker did not take one.
    void start(Done done);

private:
    void hear(const wire::MessageView& message);
    /// Asks something small; then everything that was sent before has been answered.
    void then(void (Poke::*next)());
    void write();
    void verify();
    void end(Result<void> outcome);

    Client& client_;
    std::vector<Assignment> values_;
    std::map<std::string, wire::Message, std::less<>> held_;  ///< by the variables before
    std::vector<bool> arrived_;                               ///< for each value
    bool written_ = false;
    Done done_;
};

}  // namespace caribou::bus
