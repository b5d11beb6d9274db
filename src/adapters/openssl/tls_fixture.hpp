#pragma once

// Shared by the TLS tests.

#include <array>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "adapters/openssl/tls_network.hpp"
#include "base/log.hpp"
#include "loop/memory_network.hpp"
#include "loop/stream_witness.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou {

inline link::SecretKey test_key(std::uint8_t first) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    bytes.fill(static_cast<std::byte>(first));
    return link::SecretKey(bytes);
}

/// A robot that listens and knows one key, and a station that connects to it, on an in-memory network.
class TlsRig {
public:
    explicit TlsRig(std::uint64_t seed = 0, const Faults& faults = {}, TlsLimits limits = {})
        : network(loop, seed, faults),
          robot_host(network.on_host("robot")),
          station_host(network.on_host("station")),
          robot(loop, *robot_host, log, {.keys = knows(key), .limits = limits}),
          station(loop, *station_host, log, {.own_key = key, .limits = limits}) {
        auto opened = robot.listen(Address::ip("robot", 9600), [this](std::unique_ptr<Stream> stream) {
            server.take(std::move(stream));
        });
        EXPECT_TRUE(opened.has_value());
        listener = std::move(*opened);
    }

    static link::KeyLookup knows(const link::SecretKey& key) {
        return [key](link::KeyId id) -> Result<link::SecretKey> {
            if (id == link::id_of(key)) return key;
            return fail(Code::not_found, "there is no such key here");
        };
    }

    void dial() { client.stream = station.connect(listener->address(), client); }
    void dial_with(const link::SecretKey& other) {
        client.stream = station.connect(listener->address(), other, client);
    }
    /// Connects without TLS.
    void dial_plainly() { client.stream = station_host->connect(listener->address(), client); }

    const link::SecretKey key = test_key(1);
    VirtualLoop loop;
    MemoryLog log;
    MemoryNetwork network;
    std::unique_ptr<Network> robot_host;
    std::unique_ptr<Network> station_host;
    TlsNetwork robot;
    TlsNetwork station;
    StreamWitness client;
    StreamWitness server;
    std::unique_ptr<Listener> listener;
};

inline link::SecuredStream& secured(StreamWitness& end) {
    return dynamic_cast<link::SecuredStream&>(*end.stream);
}

}  // namespace caribou
