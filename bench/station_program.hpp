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

/// Of the robot of that number, `robot_N`.
link::SecretKey key_of(std::size_t robot);

/// The program `caribou station`, which has the keys of so many robots. None: its link is plain.
class StationProgram {
public:
    explicit StationProgram(std::size_t keys);

    pid_t pid() const { return program_->pid(); }
    /// Where robots call.
    const Address& address() const { return address_; }
    /// Where programs ask.
    const Address& web() const { return web_; }
    /// One of its /metrics, such as `datagrams_total{kind="all"}`.
    double count(std::string_view metric) const;
    /// Ends it.
    void end() { program_.reset(); }

private:
    Folder keys_;
    Address web_;
    std::optional<Program> program_;
    Address address_;
};

/// Robots as far as a station can tell, in a process of their own. With keys they prove them by TLS, and seal
/// what they send.
class RobotCrowd {
public:
    struct Options {
        std::size_t first = 0;
        std::size_t count = 1;
        bool keyed = true;
    };
    /// They are there, and have not called yet.
    RobotCrowd(const Address& station, const Options& options);

    /// All call at once.
    void call() const;
    /// Whether all are connected.
    bool connected() const;
    /// Waits until all are.
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
