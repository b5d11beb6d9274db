#pragma once

#include <dds/dds.h>

#include <chrono>
#include <list>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "adapters/dds/dds_transport.hpp"
#include "base/check.hpp"
#include "dds/domain_lease.hpp"
#include "platform/event_loop.hpp"

namespace caribou::tests {

/// Several simulated processes that share topics over DDS: each has a participant with its own sockets, so
/// that data passes over the loopback interface. A rig for the suites of negotiation.
struct DdsRig {
    struct Process {
        std::unique_ptr<DdsParticipant> participant;
        std::unique_ptr<DdsTransport> transport;
    };

    negotiation::Transport& process(std::size_t n) {
        Process& process = processes[n];
        if (!process.transport) {
            auto opened =
                DdsParticipant::open({.domain = lease.domain(), .name = fmt::format("process {}", n)});
            check(opened.has_value(), opened ? "" : opened.error().message);
            process.participant = std::move(*opened);
            process.transport = std::make_unique<DdsTransport>(*process.participant, event_loop);
        }
        return *process.transport;
    }
    Loop& loop() { return event_loop; }
    bool run_until(const std::move_only_function<bool() const>& condition) {
        return event_loop.run_until(condition, std::chrono::seconds(20));
    }
    void settle() {
        event_loop.run_until([] { return false; }, std::chrono::milliseconds(300));
    }

    /// Drops all its packets in both directions.
    void lose(std::size_t n) {
        check(dds_domain_set_deafmute(processes[n].participant->handle(), true, true, DDS_INFINITY) == 0,
              "a participant falls silent");
        lost.push_back(std::move(processes[n]));
        processes.erase(n);
    }

    DomainLease lease;
    EventLoop event_loop;
    std::map<std::size_t, Process> processes;
    std::list<Process> lost;
};

}  // namespace caribou::tests
