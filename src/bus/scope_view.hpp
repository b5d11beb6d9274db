#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bus/board.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Parses `VAR=red` or `VAR,red`; VAR may be a pattern. Returns pattern and code of the terminal.
Result<std::pair<std::string, int>> parse_scope_color(std::string_view text);

enum class ScopeSort { name, age, rate, source };
std::string_view to_string(ScopeSort sort);

/// One value of the variable whose history is shown.
struct ScopeSample {
    double time;  ///< UNIX seconds, by the writer's clock
    std::string value;
    std::string source;
};

/// State of a scope: which variables are shown, in which order, the position in the list, or one variable
/// with its history. Keys change the state. Does not draw or send requests.
class ScopeView {
public:
    struct Options {
        /// Substrings of names, or patterns with * and ?, separated by blanks; a variable passes if one of
        /// them matches.
        std::string filter{};
        std::vector<std::string> sources{};  ///< patterns; empty: all
        /// Colors of variables on a terminal: patterns of names, and codes of the terminal such as 31.
        std::vector<std::pair<std::string, int>> colors{};
        bool shows_community = false;
        bool shows_aux = false;
        ScopeSort sort = ScopeSort::name;
        bool reverse = false;
    };
    explicit ScopeView(Options options) : options_(std::move(options)) {}

    /// Processes the bytes of one or more keys. Returns false if the user quits.
    bool press(std::string_view keys);
    /// Updates rows(): the variables that pass the filter, sorted. Keeps the cursor on its variable. `page`
    /// is the number of lines that show variables.
    void arrange(const Board& board, Instant now, std::size_t page);

    const Options& options() const { return options_; }
    /// Returns the rows as of the last arrange().
    const std::vector<const Board::Row*>& rows() const { return rows_; }
    std::size_t top() const { return top_; }
    std::size_t cursor() const { return cursor_; }
    bool typing() const { return typing_; }
    bool paused() const { return paused_; }
    /// Returns whether the list of keys is shown.
    bool helping() const { return helping_; }
    /// Returns the assignment being typed; nullopt if none is.
    const std::optional<std::string>& poking() const { return poking_; }
    /// Returns the assignment that was typed, once.
    std::optional<std::string> take_poke() { return std::exchange(typed_poke_, std::nullopt); }
    /// Shows `text` until the next key.
    void set_message(std::string text) { message_ = std::move(text); }
    const std::string& message() const { return message_; }

    /// Returns the variable whose history is shown; empty if the table is shown.
    const std::string& open() const { return open_; }
    const std::deque<ScopeSample>& history() const { return history_; }
    /// Adds a value of open().
    void add(ScopeSample sample);

    /// Must be called when the rows of the board have been destroyed.
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
    std::string at_;  ///< variable under the cursor
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

/// Returns the number of screen lines that show variables.
std::size_t scope_page(const ScreenSize& size);
/// Returns the screen as text: each line is terminated, and none is longer than the screen is wide. Only
/// formats the visible rows.
std::string scope_screen(const ScopeView& view, const Board& board, Instant now, const ScreenSize& size,
                         std::string_view title);
/// Returns all rows for a pipe, with complete values.
std::string scope_text(const ScopeView& view, const Board& board, Instant now);
/// Returns the rows as a JSON array of objects.
std::string scope_json(const ScopeView& view, const Board& board, Instant now);

}  // namespace caribou::bus
