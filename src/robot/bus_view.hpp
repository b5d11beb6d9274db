#pragma once

#include <map>
#include <string>
#include <string_view>

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
    /// `poke NAME VALUE`, `pin NAME VALUE`, `unpin NAME`, `show`, `help`.
    Result<std::string> command(std::string_view line);

private:
    std::string json() const;
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
