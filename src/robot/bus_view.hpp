#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bus/board.hpp"
#include "bus/client.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {

/// The bus that a robot is on, for people: its variables and clients, and a hand to write with. Asks the
/// broker only when somebody looks.
class BusView {
public:
    struct Place {
        std::string broker;   ///< its address
        bool hosted = false;  ///< by this robot
    };
    /// Loop and client outlive it.
    BusView(Loop& loop, bus::Client& client, Place place);
    ~BusView();

    /// The section `bus` of docs/formats/station-api.md.
    void ask(TellView tell);
    using Told = std::function<void(Result<std::string>)>;
    /// Carries out `poke NAME VALUE`, `pin NAME VALUE`, `unpin NAME`, `show` or `help`. A value that the
    /// broker would not take is refused with the reason, and what the variable holds afterwards is reported.
    void command(std::string_view line, Told told);

private:
    std::string json() const;
    /// Asks the broker what has changed, and calls `then` when the board has it, or with the error.
    void refresh(std::function<void(BusView&, Result<void>)> then);
    Result<std::string> answer(const std::vector<std::string>& words);
    void poke(const std::string& name, const std::string& value, bool pins, Told told);
    Result<std::string> outcome(const std::string& name, const std::string& value, double before) const;
    Result<void> pin(const std::string& name, const std::string& value);
    Result<void> write(const std::string& name, const std::string& value);
    void hold(const std::string& name, const wire::MessageView& mail);

    Loop& loop_;
    bus::Client& client_;
    Place place_;
    bus::Board board_;
    std::map<std::string, std::string, std::less<>> pins_;  ///< values, by variable
    std::shared_ptr<BusView*> self_;
};

}  // namespace caribou::robot
