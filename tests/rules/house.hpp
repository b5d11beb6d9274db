#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/source_text.hpp"

namespace caribou::rules {

/// The door table: who may include whom. Rooms stand floor by floor, so a door leads to a room of
/// an earlier line.
struct Doors {
    struct Room {
        std::size_t line;             ///< in src/doors.txt
        std::set<std::string> doors;  ///< the rooms it may include, besides itself
    };
    std::map<std::string, Room> rooms;
    std::vector<Finding> findings;  ///< what is wrong with the table itself

    static Doors parse(std::string_view table);
};

/// Holds the #include lines below src/, apps/, tests/, examples/ and bench/ to the table. Only
/// rooms matter, not the files inside them.
std::vector<Finding> check_doors(const Doors& doors, std::span<const SourceFile> files);

/// Holds the list of installed headers to what it promises: each exists, and what it includes is
/// installed too.
std::vector<Finding> check_public_headers(std::string_view list, std::span<const SourceFile> files);

}  // namespace caribou::rules
