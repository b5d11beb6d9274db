#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/bytes.hpp"

namespace caribou::bench {

/// Owns a file descriptor.
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

/// A blocking connection to a port of this machine, on plain system calls. Aborts the benchmark if the peer
/// closes it, or after five seconds without progress.
class TcpConnection {
public:
    explicit TcpConnection(std::uint16_t port);

    /// Blocks until all bytes have been passed to the kernel.
    void send(ByteView bytes) const;
    /// Blocks until bytes have arrived, and returns their number.
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
    /// Returns the next connection, non-blocking, or an empty descriptor.
    Descriptor accept() const;
    int descriptor() const { return descriptor_.number(); }

private:
    Descriptor descriptor_;
};

}  // namespace caribou::bench
