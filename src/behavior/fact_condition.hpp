#pragma once

#include <optional>
#include <string_view>

#include "behavior/condition.hpp"

namespace caribou::behavior {

enum class Comparison : std::uint8_t { equal, unequal, less, at_most, greater, at_least };

/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
std::string_view to_string(Comparison comparison);
/// From the same; none: no comparison.
std::optional<Comparison> comparison_from(std::string_view text);

/// A named value from outside against one that is given here.
///
/// | fact                        | answer                                            |
/// |-----------------------------|---------------------------------------------------|
/// | unknown                     | false, whatever the comparison                    |
/// | of another kind             | true for !=, else false                           |
/// | number, bool, text          | as compared; false < true; text byte by byte      |
/// | not a number (NaN)          | true for !=, else false                           |
class FactCondition final : public Condition {
public:
    FactCondition(std::string fact, Comparison comparison, Value value)
        : fact_(std::move(fact)), comparison_(comparison), value_(std::move(value)) {}
    /// The fact is known and true.
    explicit FactCondition(std::string fact) : FactCondition(std::move(fact), Comparison::equal, true) {}

    std::string describe() const override;
    const std::string& fact() const { return fact_; }

protected:
    void on_start(const Moment& moment) override { fact_number_ = moment.facts.number_of(fact_); }
    bool on_evaluate(const Moment& moment) override;

private:
    std::string fact_;
    Comparison comparison_;
    Value value_;
    Facts::Number fact_number_ = 0;
};

}  // namespace caribou::behavior
