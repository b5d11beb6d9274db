#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bus/board.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

enum class ScopeSort { name, age, rate, source };
std::string_view to_string(ScopeSort sort);

/// A value of the one variable that is looked at closely.
struct ScopeSample {
    double time;  ///< UNIX seconds, by the writer's clock
    std::string value;
    std::string source;
};

/// What somebody looks at in a scope: which variables, in which order, where in the list, or one of
/// them with its history. Keys change it; nothing here draws or asks.
class ScopeView {
public:
    struct Options {
        /// Parts of the name, or patterns with * and ?, separated by blanks; a variable passes if one
        /// matches.
        std::string filter{};
        std::vector<std::string> sources{};  ///< patterns; empty: all
        bool shows_community = false;
        bool shows_aux = false;
        ScopeSort sort = ScopeSort::name;
        bool reverse = false;
    };
    explicit ScopeView(Options options) : options_(std::move(options)) {}

    /// The bytes of one or more keys. False: it is to end.
    bool press(std::string_view keys);
    /// The variables that pass the filter, in order; keeps the cursor on its variable. `page` is how
    /// many lines show variables.
    void arrange(const Board& board, Instant now, std::size_t page);

    const Options& options() const { return options_; }
    /// What arrange() made.
    const std::vector<const Board::Row*>& rows() const { return rows_; }
    std::size_t top() const { return top_; }
    std::size_t cursor() const { return cursor_; }
    bool typing() const { return typing_; }
    bool paused() const { return paused_; }
    /// Whether the list of keys is shown.
    bool helping() const { return helping_; }
    /// The assignment that is being typed; nullopt: none is.
    const std::optional<std::string>& poking() const { return poking_; }
    /// The assignment that has been typed, once.
    std::optional<std::string> take_poke() { return std::exchange(typed_poke_, std::nullopt); }
    /// Shown until the next key.
    void set_message(std::string text) { message_ = std::move(text); }
    const std::string& message() const { return message_; }

    /// The variable whose history is shown; empty: the table is.
    const std::string& open() const { return open_; }
    const std::deque<ScopeSample>& history() const { return history_; }
    /// A value of open() has come.
    void add(ScopeSample sample);

    /// Makes rows out of date: they are gone.
    void forget_rows() { rows_.clear(); }

private:
    static constexpr std::size_t history_length = 1000;

    bool press_one(std::string_view key);
    void type(std::string_view key);
    void type_poke(std::string_view key);
    void move(std::ptrdiff_t by);
    bool passes(const Board::Row& row) const;

    Options options_;
    std::vector<const Board::Row*> rows_;
    std::string at_;  ///< the variable under the cursor
    std::size_t cursor_ = 0;
    std::size_t top_ = 0;
    std::size_t page_ = 1;
    bool typing_ = false;
    bool paused_ = false;
    bool helping_ = false;
    std::optional<std::string> poking_;
    std::optional<std::string> typed_poke_;
    std::string message_;
    std::string open_;
    std::deque<ScopeSample> history_;
};

struct ScreenSize {
    int rows = 24;
    int columns = 80;
};

/// How many lines of the screen show variables.
std::size_t scope_page(const ScreenSize& size);
/// The screen as text, each line ended and none longer than the screen is wide. Draws what is visible
/// and nothing else.
std::string scope_screen(const ScopeView& view, const Board& board, Instant now, const ScreenSize& size,
                         std::string_view title);
/// The same rows for a pipe: all of them, values in full.
std::string scope_text(const ScopeView& view, const Board& board, Instant now);
/// A JSON array of objects.
std::string scope_json(const ScopeView& view, const Board& board, Instant now);

}  // namespace caribou::bus
