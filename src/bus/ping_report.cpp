// Statistics of ping rounds.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "bus/ping.hpp"

namespace caribou::bus {
namespace {

struct Figures {
    std::vector<double> sorted;  ///< round-trip times in microseconds, without lost rounds
    std::size_t lost;

    double at(double share) const {
        return sorted[std::min(sorted.size() - 1,
                               static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
    }
};

Figures figures_of(const std::vector<PingRound>& rounds) {
    Figures figures{};
    for (const PingRound& round : rounds) {
        if (round)
            figures.sorted.push_back(to_seconds(*round) * 1e6);
        else
            figures.lost += 1;
    }
    std::ranges::sort(figures.sorted);
    return figures;
}

/// Upper limits of the histogram's bins, in microseconds; the last bin is unlimited.
constexpr std::array<double, 10> borders{50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6};

std::string step_name(std::size_t step) {
    const auto name = [](double us) {
        return us < 1e3 ? fmt::format("{} us", us) : us < 1e6 ? fmt::format("{} ms", us / 1e3) : "1 s";
    };
    return step == borders.size() ? "more" : "< " + name(borders[step]);
}

}  // namespace

std::string ping_report(const std::vector<PingRound>& rounds) {
    const Figures figures = figures_of(rounds);
    std::string text = fmt::format("{} rounds, {} lost\n", rounds.size(), figures.lost);
    if (figures.sorted.empty()) return text;
    fmt::format_to(std::back_inserter(text), "min {:.0f}  median {:.0f}  p99 {:.0f}  max {:.0f} us\n",
                   figures.sorted.front(), figures.at(0.5), figures.at(0.99), figures.sorted.back());
    std::array<std::size_t, borders.size() + 1> counts{};
    for (const double us : figures.sorted)
        counts[static_cast<std::size_t>(std::ranges::upper_bound(borders, us) - borders.begin())] += 1;
    const std::size_t most = std::ranges::max(counts);
    const auto first = std::ranges::find_if(counts, [](std::size_t n) { return n > 0; }) - counts.begin();
    auto last = static_cast<std::ptrdiff_t>(counts.size()) - 1;
    while (counts[static_cast<std::size_t>(last)] == 0) --last;
    for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) {
        constexpr std::size_t width = 40;
        const std::string bar(counts[i] == 0 ? 0 : std::max<std::size_t>(1, counts[i] * width / most), '#');
        fmt::format_to(std::back_inserter(text), "{:>8} {:>6}  {}\n", step_name(i), counts[i], bar);
    }
    return text;
}

std::string ping_json(const std::vector<PingRound>& rounds) {
    const Figures figures = figures_of(rounds);
    if (figures.sorted.empty())
        return fmt::format(R"({{"rounds":{},"lost":{}}})", rounds.size(), figures.lost);
    return fmt::format(
        R"({{"rounds":{},"lost":{},"min_us":{:.1f},"median_us":{:.1f},"p99_us":{:.1f},"max_us":{:.1f}}})",
        rounds.size(), figures.lost, figures.sorted.front(), figures.at(0.5), figures.at(0.99),
        figures.sorted.back());
}

}  // namespace caribou::bus
