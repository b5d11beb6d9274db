// `caribou scope`: a live table of all variables.

#include <cstdio>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "bus/board_feed.hpp"
#include "bus/message_text.hpp"
#include "bus/poke.hpp"
#include "bus/scope_view.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/commands.hpp"
#include "kit/program/number_from.hpp"
#include "platform/terminal.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

/// A scope on a terminal, until the user quits.
class LiveScope {
public:
    LiveScope(BusSession& session, bus::ScopeView& view, bus::Board& board, Duration every)
        : session_(session),
          view_(view),
          board_(board),
          feed_(session.loop(), session.client(), board, every, [this](bool same) {
              if (!same) view_.forget_rows();
              if (!view_.paused()) draw();
          }) {}

    Exit run() {
        auto screen = FullScreen::open(
            session_.event_loop(), [this](std::string_view keys) { press(keys); }, [this] { draw(); });
        if (!screen) return session_.complain(screen.error().message);
        screen_ = std::move(*screen);
        feed_.start();
        draw();
        const Exit how = session_.run();
        screen_.reset();
        return how;
    }

private:
    void press(std::string_view keys) {
        const std::string before = view_.open();
        if (!view_.press(keys)) return session_.end(Exit::ok);
        if (before != view_.open()) follow(before);
        if (const auto text = view_.take_poke()) poke(*text);
        draw();
    }

    /// Executes the assignment typed after `p`, and shows the result.
    void poke(const std::string& text) {
        auto value = bus::Assignment::parse(text);
        if (!value) return view_.set_message(value.error().message);
        poke_ = std::make_unique<bus::Poke>(session_.client(), std::vector{std::move(*value)});
        poke_->start([this, text](const Result<void>& outcome) {
            view_.set_message(outcome ? "written: " + text : outcome.error().message);
            // Resumes following the variable whose history is shown.
            session_.loop().post([this] {
                poke_.reset();
                if (!view_.open().empty()) follow("");
                draw();
            });
        });
    }

    /// Only the variable whose history is shown is subscribed to.
    void follow(const std::string& before) {
        bus::Client& client = session_.client();
        if (!before.empty()) {
            client.on_mail(before, {});
            std::ignore = client.unregister_variable(before);
        }
        if (view_.open().empty()) return;
        client.on_mail(view_.open(), [this](const wire::MessageView& message) {
            view_.add({message.time, bus::value_text(message, 1000), std::string(message.source)});
            draw_after_turn();
        });
        std::ignore = client.register_variable(view_.open());
    }

    /// The screen is redrawn at most ten times per second.
    void draw_after_turn() {
        if (std::exchange(drawing_, true)) return;
        redraw_->arm(session_.loop().clock().now() + 100ms);
    }

    void draw() {
        drawing_ = false;
        const auto [rows, columns] = terminal_size();
        const Instant now = session_.loop().clock().now();
        const bus::ScreenSize size{rows, columns};
        view_.arrange(board_, now, bus::scope_page(size));
        const bus::Client& client = session_.client();
        const std::string title =
            fmt::format("{} at {}{}", bus::printable(client.community()), to_string(client.options().broker),
                        client.connected() ? "" : " (lost)");
        screen_->show(bus::scope_screen(view_, board_, now, size, title));
    }

    BusSession& session_;
    bus::ScopeView& view_;
    bus::Board& board_;
    std::unique_ptr<FullScreen> screen_;
    std::unique_ptr<bus::Poke> poke_;
    std::unique_ptr<Timer> redraw_ = session_.loop().make_timer([this] { draw(); });
    bool drawing_ = false;
    bus::BoardFeed feed_;
};

class ScopeCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("scope", "Show a live table of all variables");
        parser->add_option(
            "FILTER", words_,
            "Parts of names, or patterns with * and ?; a mission file gives the broker's address");
        parser
            ->add_option("--source,--src", view_.sources,
                         "Only values written by clients that match these patterns")
            ->delimiter(',');
        parser->add_option("--color,--colormap", colors_,
                           "Show VAR=COLOR in this color, such as 'NAV_*=green'; may be repeated");
        parser->add_flag("--community", view_.shows_community, "Show the community of each value");
        parser->add_flag("--aux", view_.shows_aux, "Show the auxiliary text of each value's source");
        parser->add_option("--sort", sort_, "Sort by name, age, rate or source")
            ->capture_default_str()
            ->check(one_of({"name", "age", "rate", "source"}));
        parser->add_flag("--reverse", view_.reverse, "Reverse the order");
        parser->add_option("--every", every_, "Seconds between two updates")
            ->capture_default_str()
            ->check(number_from(0.05, 3600));
        parser->add_flag("--once", once_, "Print the table once; default if the output is not a terminal");
        parser->add_flag("--json", json_, "Print it once, as a JSON array");
        add_bus_options(*parser, bus_);
        parser->footer(
            "Keys: up/down, page up/down, g, G move; enter shows or closes the history of a variable;\n"
            "/ filters, escape clears the filter; s sorts by the next column, r reverses the order;\n"
            "space pauses; p pokes; ? lists the keys; q quits.\n"
            "AGE is the time since the last value, RATE its values per second, T the type: D a number, S a\n"
            "string, B binary.\n"
            "Examples:\n"
            "  caribou scope\n"
            "  caribou scope NAV --sort age\n"
            "  caribou scope alpha.moos NAV_X NAV_Y --src pHelmIvP,uSimMarine\n"
            "  caribou scope --color NAV_X=green --color 'IVPHELM_*=yellow'\n"
            "  caribou scope 'NAV_*' | grep pHelm\n"
            "  caribou scope --json | jq -r '.[] | select(.age > 10) | .variable'");
        return parser;
    }

    Exit run() override {
        if (auto taken = take_mission_files(words_, bus_); !taken)
            return complain("scope", taken.error().message, Exit::failed);
        for (const std::string& word : words_)
            if (word.contains('/') && word.find_first_of("*?") == std::string::npos)
                return complain("scope", fmt::format("{}: no mission file (.moos, .moos++ or .toml)", word),
                                Exit::failed);
        for (const std::string& text : colors_) {
            auto color = bus::parse_scope_color(text);
            if (!color) return complain("scope", "--color: " + color.error().message, Exit::usage);
            view_.colors.push_back(std::move(*color));
        }
        for (const std::string& word : words_) view_.filter += (view_.filter.empty() ? "" : " ") + word;
        BusSession session("scope", bus_, {.inbox = {.messages = 1'000'000, .bytes = 512_MiB}});
        if (auto connected = session.connect(); !connected)
            return session.complain(connected.error().message);
        for (const auto sort : {bus::ScopeSort::age, bus::ScopeSort::rate, bus::ScopeSort::source})
            if (sort_ == to_string(sort)) view_.sort = sort;
        bus::ScopeView view(view_);
        bus::Board board;
        if (!once_ && !json_ && stdout_is_terminal())
            return LiveScope(session, view, board, from_seconds(every_)).run();

        bus::BoardFeed feed(session.loop(), session.client(), board, 1h,
                            [&](bool) { session.end(Exit::ok); });
        feed.start();
        const Exit how = session.run();
        const Instant now = session.loop().clock().now();
        view.arrange(board, now, board.rows().size());
        fmt::print("{}",
                   json_ ? bus::scope_json(view, board, now) + "\n" : bus::scope_text(view, board, now));
        return how;
    }

private:
    BusOptions bus_;
    std::vector<std::string> words_;
    std::vector<std::string> colors_;
    bus::ScopeView::Options view_;
    std::string sort_ = "name";
    double every_ = 1;
    bool once_ = false;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_scope_command() { return std::make_unique<ScopeCommand>(); }

}  // namespace caribou::app
