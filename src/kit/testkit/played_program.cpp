#include "kit/testkit/played_program.hpp"

#include <utility>

namespace caribou {

class PlayedProgram::Connection final : public Process {
public:
    Connection(Loop& loop, Exchange& exchange, ProcessEvents& events)
        : loop_(loop), exchange_(exchange), events_(events), timer_(loop.make_timer([this] { look(); })) {
        timer_->arm(loop.clock().now());
    }

    int id() const override { return 0; }
    void terminate() override {}
    void kill() override { timer_->cancel(); }
    bool write(std::string_view line) override {
        lines_.emplace_back(line);
        timer_->arm(loop_.clock().now());  // not inside the tick that writes it
        return true;
    }

private:
    void look() {
        timer_->arm(loop_.clock().now() + pause);
        std::string printed;
        for (const std::string& line : std::exchange(lines_, {})) printed += exchange_(line);
        if (printed.empty()) printed = exchange_("");
        events_.on_bytes(bytes_of(printed));
    }

    Loop& loop_;
    Exchange& exchange_;
    ProcessEvents& events_;
    std::vector<std::string> lines_;
    std::unique_ptr<Timer> timer_;
};

PlayedProgram::PlayedProgram(Loop& loop, Exchange exchange) : loop_(loop), exchange_(std::move(exchange)) {}

Result<std::unique_ptr<Process>> PlayedProgram::start(const std::vector<std::string>&,
                                                      ProcessEvents& events) {
    return std::make_unique<Connection>(loop_, exchange_, events);
}

}  // namespace caribou
