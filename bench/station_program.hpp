#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "child.hpp"
#include "folder.hpp"
#include "link/secret_key.hpp"
#include "loop/address.hpp"

namespace caribou::bench {

/// Returns the key of `robot_N`.
link::SecretKey key_of(std::size_t robot);

/// The program `caribou station` with the keys of this many robots; without keys, its link is not
/// authenticated.
class StationProgram {
public:
    explicit StationProgram(std::size_t keys);

    /// Returns the process id, for reading CPU time and memory from /proc.
    pid_t pid() const { return program_->pid(); }
    /// Returns the address that robots call.
    const Address& address() const { return address_; }
    /// Returns the address of its HTTP interface.
    const Address& web() const { return web_; }
    /// Returns a value of its /metrics, such as `datagrams_total{kind="all"}`.
    double count(std::string_view metric) const;
    /// Ends the program.
    void end() { program_.reset(); }

private:
    Folder keys_;
    Address web_;
    std::optional<Program> program_;
    Address address_;
};

/// Robots in a separate process, as seen by a station. With keys they authenticate over TLS and seal their
/// datagrams.
class RobotCrowd {
public:
    struct Options {
        std::size_t first = 0;
        std::size_t count = 1;
        bool keyed = true;
    };
    /// Creates the robots, which do not call yet.
    RobotCrowd(const Address& station, const Options& options);

    /// Makes all robots call at once.
    void call() const;
    /// Returns whether all are connected.
    bool connected() const;
    /// Blocks until all are connected.
    void await() const;

private:
    void play(const Address& station, const Options& options) const;

    struct Pipe {
        Pipe();
        ~Pipe();
        Pipe(const Pipe&) = delete;
        Pipe& operator=(const Pipe&) = delete;
        void tell() const;
        void hear(std::string_view what) const;
        int ends[2];
    };
    Pipe told_;
    Pipe heard_;
    Child child_;
};

}  // namespace caribou::bench
