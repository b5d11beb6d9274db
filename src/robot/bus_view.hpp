#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bus/board.hpp"
#include "bus/client.hpp"
#include "data/bus.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {

/// The robot's bus for people: its variables and clients, and commands to write values. Queries the broker
/// only while the view is requested.
class BusView {
public:
    /// The broker of this bus, for display.
    struct Place {
        std::string broker;   ///< address of the broker
        bool hosted = false;  ///< the broker runs in this robot's process
    };
    /// Loop and client must outlive this object.
    BusView(Loop& loop, bus::Client& client, Place place);
    ~BusView();

    /// Requests the section `bus` of docs/formats/station-api.md.
    void ask(TellView tell);
    using Told = std::function<void(Result<std::string>)>;
    /// Executes `poke NAME VALUE`, `pin NAME VALUE`, `unpin NAME`, `show` or `help`. A value that the broker
    /// would reject is refused with the reason; otherwise the value of the variable afterwards is returned.
    void command(std::string_view line, Told told);

private:
    data::Bus picture() const;
    /// Requests the changes from the broker, and calls `then` when the board is up to date, or with the
    /// error.
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
    std::map<std::string, std::string, std::less<>> pins_;  ///< values by variable
    std::shared_ptr<BusView*> self_;
};

}  // namespace caribou::robot
