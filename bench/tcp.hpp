#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/bytes.hpp"

namespace caribou::bench {

/// A descriptor with one owner.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();

    int number() const { return number_; }

private:
    int number_;
};

/// A blocking connection to a port of this machine, on bare system calls. Gives up when the other
/// side ends it, or when nothing happens for five seconds.
class TcpConnection {
public:
    explicit TcpConnection(std::uint16_t port);

    void send(ByteView bytes) const;
    /// Takes what has arrived, and waits while that is nothing.
    std::size_t receive(std::span<std::byte> into) const;
    int descriptor() const { return descriptor_.number(); }

private:
    Descriptor descriptor_;
};

/// Listens on a free port of this machine.
class TcpListener {
public:
    TcpListener();

    std::uint16_t port() const;
    /// The next connection, non-blocking, or an empty descriptor.
    Descriptor accept() const;
    int descriptor() const { return descriptor_.number(); }

private:
    Descriptor descriptor_;
};

}  // namespace caribou::bench
