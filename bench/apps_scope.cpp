#include <pty.h>
#include <unistd.h>
#include <utmp.h>

#include <array>
#include <thread>

#include <fmt/format.h>

#include "apps_figures.hpp"
#include "apps_load.hpp"
#include "bus_servers.hpp"
#include "child.hpp"
#include "cpu_time.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

constexpr std::size_t variables = 10'000;

/// `caribou scope` on a terminal whose output is read.
class ScopeOnTerminal {
public:
    explicit ScopeOnTerminal(std::uint16_t port) : child_([&] { become_scope(port); }) {
        ::close(slave_);
        reader_ = std::thread([this] {
            std::array<char, 65536> room;
            while (::read(master_, room.data(), room.size()) > 0) {}
        });
    }
    ~ScopeOnTerminal() {
        // Presses the key that quits; its exit closes the terminal.
        need(::write(master_, "q", 1) == 1, "press a key");
        reader_.join();
        ::close(master_);
    }
    ScopeOnTerminal(const ScopeOnTerminal&) = delete;
    ScopeOnTerminal& operator=(const ScopeOnTerminal&) = delete;

    pid_t pid() const { return child_.pid(); }

private:
    /// Opens the terminal; called by the first member's initializer.
    int open_terminal() {
        winsize size{.ws_row = 50, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
        need(::openpty(&master_, &slave_, nullptr, nullptr, &size) == 0, "open a terminal");
        return slave_;
    }
    void become_scope(std::uint16_t port) {
        need(::login_tty(slave_) == 0, "take the terminal");
        const std::string path = beside_this_program("caribou");
        const std::string number = fmt::format("{}", port);
        ::execl(path.c_str(), path.c_str(), "scope", "--port", number.c_str(), nullptr);
        need(false, "run " + path);
    }

    int master_ = -1;
    int slave_ = -1;
    [[maybe_unused]] int terminal_ = open_terminal();
    Child child_;
    std::thread reader_;
};

}  // namespace

void scope_10k_core(const Report& report, const Effort& effort) {
    const BrokerProcess db;
    Load load(db.target().port, variables, variables);
    load.run(Seconds(1.5));  // all variables exist
    const ScopeOnTerminal scope(db.target().port);
    load.run(Seconds(2));  // the initial request for all variables is complete
    const Seconds before = cpu_time(scope.pid());
    load.run(effort.per_side);
    const Seconds used = cpu_time(scope.pid()) - before;
    report.add(
        {.metric = "scope_10k_core", .value = 100 * used.count() / effort.per_side.count(), .unit = "%"});
}

}  // namespace caribou::bench
