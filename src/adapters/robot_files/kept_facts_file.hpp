#pragma once

#include <string>

#include "robot/fact_keeper.hpp"

namespace caribou {

/// The facts of a robot that are kept in a file (docs/formats/kept-facts.md).
class KeptFactsFile final : public robot::FactStore {
public:
    explicit KeptFactsFile(std::string path) : path_(std::move(path)) {}

    Result<std::string> load() override;
    Result<void> save(std::string_view text) override;

private:
    std::string path_;
};

}  // namespace caribou
