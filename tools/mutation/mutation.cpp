#include "mutation.hpp"

#include <cstdio>
#include <cstdlib>

namespace mutation {

int chosen = 0;
unsigned char reached[1 << 20];

namespace {

/// Writes the numbers of all mutations that were reached, one per line.
void write_reached() {
    std::FILE* const file = std::fopen(std::getenv("CARIBOU_MUTANTS_REACHED"), "w");
    if (file == nullptr) return;
    for (int number = 1; number < static_cast<int>(sizeof reached); ++number)
        if (reached[number] != 0) std::fprintf(file, "%d\n", number);
    std::fclose(file);
}

/// Runs before every static constructor that could reach a mutation.
[[gnu::constructor(101)]] void choose() {
    if (const char* const number = std::getenv("CARIBOU_MUTANT")) chosen = std::atoi(number);
    if (std::getenv("CARIBOU_MUTANTS_REACHED") != nullptr) std::atexit(write_reached);
}

} // namespace

} // namespace mutation
