// `caribou manual`: pages for man(1), generated from the commands themselves.

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "caribou/commands.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

/// Escapes a text for roff.
std::string roff(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (const char letter : text) {
        if (line_begins && (letter == '.' || letter == '\'')) out += "\\&";
        if (letter == '\\')
            out += "\\e";
        else if (letter == '-')
            out += "\\-";
        else
            out += letter;
        line_begins = letter == '\n';
    }
    return out;
}

std::vector<const CLI::App*> parts_of(const CLI::App& parser) {
    return parser.get_subcommands([](const CLI::App*) { return true; });
}

void append_options(std::string& page, const CLI::App& parser) {
    for (const CLI::Option* option : parser.get_options()) {
        std::string name = option->get_name(option->get_positional(), true);
        std::ranges::replace(name, ',', ' ');
        if (option->get_items_expected_max() > 0 && !option->get_positional())
            name += " " + option->get_type_name();
        page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(option->get_description()));
    }
}

/// Returns the positional arguments as in a synopsis: `ROBOT [FILE ...]`.
std::string arguments_of(const CLI::App& parser) {
    std::string out;
    for (const CLI::Option* option : parser.get_options()) {
        if (!option->get_positional()) continue;
        const std::string name =
            option->get_name(true) + (option->get_items_expected_max() > 1 ? " ..." : "");
        out += option->get_required() ? " " + name : " [" + name + "]";
    }
    return out;
}

void append_synopsis(std::string& page, const CLI::App& parser, const std::string& words) {
    const auto parts = parts_of(parser);
    if (parts.empty() || !arguments_of(parser).empty() || parser.get_options().size() > 1)
        page += fmt::format(".B {}\n[OPTIONS]{}\n.br\n", roff(words), roff(arguments_of(parser)));
    for (const CLI::App* part : parts) append_synopsis(page, *part, words + " " + part->get_name());
}

void append_command(std::string& page, const CLI::App& parser, const std::string& words) {
    page += fmt::format(".SH {}\n{}\n", roff(words), roff(parser.get_description()));
    append_options(page, parser);
    if (!parser.get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(parser.get_footer()));
    for (const CLI::App* part : parts_of(parser)) append_command(page, *part, words + " " + part->get_name());
}

std::string head(const std::string& title, const std::string& about) {
    return fmt::format(".TH {} 1 \"\" \"caribou {}\" \"Caribou\"\n.SH NAME\n{} \\- {}\n", roff(title),
                       CARIBOU_VERSION, roff(title), roff(about));
}

std::string program_page(const CLI::App& program) {
    std::string page = head("caribou", program.get_description());
    page += ".SH SYNOPSIS\n\\fBcaribou\\fR COMMAND [OPTIONS]\n.SH COMMANDS\n";
    for (const CLI::App* part : parts_of(program))
        page += fmt::format(".TP\n\\fBcaribou\\-{}\\fR(1)\n{}\n", roff(part->get_name()),
                            roff(part->get_description()));
    return page + fmt::format(".PP\n.nf\n{}\n.fi\n", roff(program.get_footer()));
}

class ManualCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        program_ = &program;
        CLI::App* const parser = program.add_subcommand("manual", "Write the man pages");
        parser->add_option("FOLDER", folder_, "Destination of caribou.1 and one page for each command")
            ->required();
        parser->footer(
            "Examples:\n"
            "  caribou manual pages && man pages/caribou-robot.1      the package installs them");
        return parser;
    }

    Exit run() override {
        std::error_code failed;
        std::filesystem::create_directories(folder_, failed);
        bool written = write("caribou", program_page(*program_));
        for (const CLI::App* part : parts_of(*program_)) {
            const std::string title = "caribou-" + part->get_name();
            std::string page = head(title, part->get_description());
            page += ".SH SYNOPSIS\n";
            append_synopsis(page, *part, "caribou " + part->get_name());
            append_command(page, *part, "caribou " + part->get_name());
            written = written && write(title, page + ".SH SEE ALSO\n\\fBcaribou\\fR(1)\n");
        }
        return written ? Exit::ok : Exit::failed;
    }

private:
    bool write(const std::string& title, const std::string& page) const {
        const auto written = write_text_file(std::filesystem::path(folder_) / (title + ".1"), page);
        if (!written) fmt::print(stderr, "caribou manual: {}\n", written.error().message);
        return written.has_value();
    }

    const CLI::App* program_ = nullptr;
    std::string folder_;
};

}  // namespace

std::unique_ptr<Command> make_manual_command() { return std::make_unique<ManualCommand>(); }

}  // namespace caribou::app
