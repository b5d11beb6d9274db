#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "cubes/comms.hpp"
#include "cubes/coordinator.hpp"
#include "cubes/lights.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::cubes {

/// Records the events and messages of a link. For tests.
class LinkWitness final : public LinkEvents {
public:
    explicit LinkWitness(CubeLink& link) : link_(link) { link_.add_observer(*this); }
    ~LinkWitness() { link_.remove_observer(*this); }
    LinkWitness(const LinkWitness&) = delete;
    LinkWitness& operator=(const LinkWitness&) = delete;

    std::vector<std::string> heard{};
    std::vector<CubeMessage> messages{};
    int progress = 0;

    void on_link_connected() override { heard.emplace_back("connected"); }
    void on_link_progress() override { ++progress; }
    void on_link_failed(const Error& why) override { heard.push_back("failed: " + why.message); }
    void on_link_closed(const Error& why) override { heard.push_back("closed: " + why.message); }
    void on_link_ending() override { heard.emplace_back("ending"); }
    void on_message(const CubeMessage& message) override { messages.push_back(message); }

private:
    CubeLink& link_;
};

/// The whole stack from the radio to the coordinator, simulated, on virtual time.
struct CubeRig {
    static constexpr CubeAddress first{0xc0be'0000'0001};
    static constexpr CubeAddress second{0xc0be'0000'0002};

    explicit CubeRig(CommsOptions options = {}) : comms(loop, radio, store, log, std::move(options)) {}

    VirtualLoop loop;
    MemoryLog log;
    MemoryPreferenceStore store;
    SimulatedRadio radio{loop};
    CubeCommsComponent comms;
    LinkWitness witness{comms};
    CubeLightComponent lights{loop, comms, log};
    CubeConnectionCoordinator coordinator{loop, comms, lights};
};

}  // namespace caribou::cubes
