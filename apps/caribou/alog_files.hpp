#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "caribou/commands.hpp"

namespace caribou::app {

/// `caribou alog merge`: writes several logs as one.
class AlogMergeVerb {
public:
    /// Adds the verb to `alog`.
    explicit AlogMergeVerb(CLI::App& alog);
    bool parsed() const { return parser_->parsed(); }
    Exit run() const;

private:
    CLI::App* parser_;
    std::vector<std::string> files_;
    std::string output_;
};

/// `caribou alog split`: writes each variable of a log to a file of its own.
class AlogSplitVerb {
public:
    /// Adds the verb to `alog`.
    explicit AlogSplitVerb(CLI::App& alog);
    bool parsed() const { return parser_->parsed(); }
    Exit run() const;

private:
    CLI::App* parser_;
    std::string file_;
    std::string folder_;
};

/// `caribou alog view`: shows logs on a chart, in the browser.
class AlogViewVerb {
public:
    /// Adds the verb to `alog`.
    explicit AlogViewVerb(CLI::App& alog);
    bool parsed() const { return parser_->parsed(); }
    Exit run() const;

private:
    CLI::App* parser_;
    std::vector<std::string> files_;
    std::string mission_;
    std::uint16_t port_ = 0;
};

}  // namespace caribou::app
