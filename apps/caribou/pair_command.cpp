// `caribou pair`: manages keys shared by two machines.

#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "base/path_name.hpp"
#include "caribou/commands.hpp"
#include "caribou/qr_text.hpp"
#include "kit/program/key_place.hpp"
#include "kit/program/number_from.hpp"
#include "link/key_words.hpp"
#include "platform/terminal.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using link::PairedKey;
using link::Role;
using link::SecretKey;

/// Returns the words in lines of five, for reading aloud.
std::string in_lines(const std::string& words) {
    std::string lines = "  ";
    int blanks = 0;
    for (const char letter : words) {
        if (letter == ' ' && ++blanks % 5 == 0)
            lines += "\n  ";
        else
            lines += letter;
    }
    return lines;
}

/// Reads words from standard input, up to the last word of a key.
std::string typed_words() {
    std::string words;
    std::string word;
    for (std::size_t count = 0; count < link::words_in_key && std::cin >> word; ++count) words += word + ' ';
    return words;
}

class PairCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override;
    Exit run() override;

private:
    CLI::App* add_verb(const char* name, const char* what, std::function<Result<void>()> action);
    void take_role(CLI::App* verb);

    Result<void> make();
    Result<void> add();
    Result<void> show();
    Result<void> list();
    Result<void> rotate();
    Result<void> remove();
    /// Prints the words, and the QR code on a terminal.
    void print_secret(const PairedKey& key) const;
    Result<std::string> words_from_outside() const;
    Result<void> check_is_new(const SecretKey& key) const;

    CLI::App* parser_ = nullptr;
    std::map<CLI::App*, std::function<Result<void>()>> verbs_;
    KeyPlace place_;
    KeyFolder folder_{""};
    std::string name_;
    std::string role_;
    std::string from_;
    bool replace_ = false;
    bool finish_ = false;
    bool qr_ = false;
};

CLI::App* PairCommand::add_to(CLI::App& program) {
    parser_ =
        program.add_subcommand("pair", "Make, show, enter and replace the keys that two machines share");
    place_.add_to(*parser_);
    parser_->fallthrough();
    parser_->footer(
        "Examples:\n"
        "  caribou pair make bot7            here: a new key, shown as words and as a QR code\n"
        "  caribou pair add station          there: enter the words\n"
        "See docs/link-security.md for what a key permits, and what to do when one is lost.");
    CLI::App* const made =
        add_verb("make", "Make a key for another machine, and show it", [this] { return make(); });
    CLI::App* const added = add_verb("add", "Store a key whose words are entered", [this] { return add(); });
    CLI::App* const shown = add_verb("show", "Show a key again", [this] { return show(); });
    CLI::App* const rotated = add_verb("rotate", "Replace a key; the old one stays valid until --finish",
                                       [this] { return rotate(); });
    add_verb("remove", "Delete a key; its holder can no longer connect", [this] { return remove(); });
    CLI::App* const listed = parser_->add_subcommand("list", "List all keys, without their secrets");
    verbs_[listed] = [this] { return list(); };

    take_role(made);
    take_role(added);
    added->add_option("--from", from_, "Read the words from this file instead of standard input");
    added->add_flag("--replace", replace_, "Replace the key of this name");
    rotated->add_flag("--finish", finish_, "Delete the old key, when both machines have the new one");
    for (CLI::App* verb : {made, shown, rotated})
        verb->add_flag("--qr", qr_, "Print the QR code also if the output is not a terminal");
    return parser_;
}

CLI::App* PairCommand::add_verb(const char* name, const char* what, std::function<Result<void>()> action) {
    CLI::App* const verb = parser_->add_subcommand(name, what);
    verb->add_option("NAME", name_, "Name of the other machine on this one")->required();
    verbs_[verb] = std::move(action);
    return verb;
}

void PairCommand::take_role(CLI::App* verb) {
    verb->add_option("--role", role_, "Role of the holder; default: drive")
        ->check(one_of({"observe", "drive", "admin"}))
        ->option_text("observe|drive|admin");
}

Exit PairCommand::run() {
    for (const auto& [verb, action] : verbs_) {
        if (!verb->parsed()) continue;
        folder_ = place_.folder();
        const auto done = action();
        if (done) return Exit::ok;
        fmt::print(stderr, "caribou pair {}: {}\n", verb->get_name(), done.error().message);
        return done.error().code == Code::invalid_argument ? Exit::usage : Exit::failed;
    }
    fmt::print("{}", parser_->help());
    return Exit::usage;
}

Result<void> PairCommand::make() {
    if (folder_.has(name_))
        return fail(
            Code::already_exists,
            fmt::format("{0} is paired already; `caribou pair rotate {0}` makes it a new key", name_));
    const PairedKey key = new_key_for(name_, link::role_from(role_).value_or(Role::drive));
    if (auto saved = folder_.save(key); !saved) return saved;
    fmt::print("A new key for {}, which lets it {}, is in {}\n", name_, to_string(key.role),
               folder_.file_of(name_).string());
    print_secret(key);
    if (key.role != Role::admin)
        fmt::print(
            "With this key {} may {}. To make one for an admin, who may also change settings:\n"
            "`caribou pair make NAME --role admin`.\n",
            name_, to_string(key.role));
    return {};
}

Result<void> PairCommand::add() {
    if (auto checked = check_path_name(name_); !checked) return checked;
    Role role = link::role_from(role_).value_or(Role::drive);
    if (folder_.has(name_)) {
        if (!replace_)
            return fail(
                Code::already_exists,
                fmt::format("{} is paired already; --replace takes this key in place of the old one", name_));
        const auto present = folder_.read(name_);
        if (present && role_.empty()) role = present->role;
    }
    const auto words = words_from_outside();
    if (!words) return fail(words.error());
    const auto key = link::key_from_words(*words);
    if (!key) return fail(key.error());
    if (auto free = check_is_new(*key); !free) return free;
    PairedKey taken = new_key_for(name_, role);
    taken.key = *key;
    if (auto saved = folder_.save(taken); !saved) return saved;
    fmt::print("Paired with {}: key {} is in {}\n", name_, to_string(link::id_of(*key)),
               folder_.file_of(name_).string());
    fmt::print("On this machine {} has the role {}", name_, to_string(role));
    if (role == Role::admin)
        fmt::print("\n");
    else
        fmt::print("; `--replace --role admin` and the same words let it change settings, too\n");
    return {};
}

/// A key with two names would not identify its holder.
Result<void> PairCommand::check_is_new(const SecretKey& key) const {
    const auto entries = folder_.all();
    if (!entries) return fail(entries.error());
    for (const KeyFolder::Entry& entry : *entries)
        if (entry.key && entry.key->key == key && entry.key->name != name_)
            return fail(
                Code::already_exists,
                fmt::format("{} has this key already, as the one for {}: programs that share a folder of "
                            "keys share its keys, and need no pairing",
                            folder_.path().string(), entry.key->name));
    return {};
}

Result<void> PairCommand::show() {
    const auto key = folder_.read(name_);
    if (!key) return fail(key.error());
    fmt::print("The key for {}, which lets it {}, of {}\n", name_, to_string(key->role), key->created);
    print_secret(*key);
    return {};
}

Result<void> PairCommand::list() {
    const auto entries = folder_.all();
    if (!entries) return fail(entries.error());
    if (entries->empty())
        fmt::print("No keys in {}; `caribou pair make NAME` makes one\n", folder_.path().string());
    bool all_fine = true;
    for (const KeyFolder::Entry& entry : *entries) {
        if (!entry.key) {
            fmt::print(stderr, "caribou pair list: {}\n", entry.key.error().message);
            all_fine = false;
            continue;
        }
        const bool is_previous = entry.file == folder_.previous_file_of(entry.key->name);
        fmt::print("{:<20} {:<8} {}  {}{}\n", entry.key->name, to_string(entry.key->role),
                   to_string(link::id_of(entry.key->key)), entry.key->created,
                   is_previous ? "  the old one, until `rotate --finish`" : "");
    }
    if (!all_fine) return fail(Code::refused, "some files were left out");
    return {};
}

Result<void> PairCommand::rotate() {
    auto present = folder_.read(name_);
    if (!present) return fail(present.error());
    if (finish_) {
        if (!folder_.has_previous(name_))
            return fail(Code::wrong_state, fmt::format("{} has no old key that could be forgotten", name_));
        fmt::print("From now on, {} has one key only\n", name_);
        return folder_.forget_previous(name_);
    }
    if (folder_.has_previous(name_))
        return fail(
            Code::wrong_state,
            fmt::format("{0} has an old key still; `caribou pair rotate {0} --finish` forgets it", name_));
    const PairedKey next = new_key_for(name_, present->role);
    if (auto replaced = folder_.replace(next); !replaced) return replaced;
    fmt::print("A new key for {} is in {}; the old one stays valid until `caribou pair rotate {} --finish`\n",
               name_, folder_.file_of(name_).string(), name_);
    print_secret(next);
    return {};
}

Result<void> PairCommand::remove() {
    if (auto removed = folder_.remove(name_); !removed) return removed;
    fmt::print(
        "{} is not paired any more; who comes with its key is refused, and who is connected by it let go\n",
        name_);
    return {};
}

void PairCommand::print_secret(const PairedKey& key) const {
    const std::string words = words_of(key.key);
    fmt::print("\n{}\n\n", in_lines(words));
    if (qr_ || stdout_is_terminal()) fmt::print("{}\n", qr_text(words, stdout_is_terminal()));
    fmt::print(
        "Key {}. Type these words on the other machine, after `caribou pair add NAME`, with the name it\n"
        "has for this one. A person who reads them can act as either machine.\n",
        to_string(link::id_of(key.key)));
}

Result<std::string> PairCommand::words_from_outside() const {
    if (!from_.empty()) return read_text_file(from_, 4096);
    if (stdin_is_terminal())
        fmt::print(stderr, "Type the {} words of the key, and Enter after the last:\n", link::words_in_key);
    return typed_words();
}

}  // namespace

std::unique_ptr<Command> make_pair_command() { return std::make_unique<PairCommand>(); }

}  // namespace caribou::app
