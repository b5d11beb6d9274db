#pragma once

#include <optional>
#include <string_view>

#include "behavior/condition.hpp"

namespace caribou::behavior {

enum class Comparison : std::uint8_t { equal, unequal, less, at_most, greater, at_least };

/// Returns `==`, `!=`, `<`, `<=`, `>` or `>=`.
std::string_view to_string(Comparison comparison);
/// Parses the same texts. Returns nullopt for any other text.
std::optional<Comparison> comparison_from(std::string_view text);

/// Compares a fact with a constant.
///
/// | fact                        | answer                                            |
/// |-----------------------------|---------------------------------------------------|
/// | unknown                     | false, for every comparison                       |
/// | of another kind             | true for !=, otherwise false                      |
/// | number, bool, text          | as compared; false < true; text byte by byte      |
/// | not a number (NaN)          | true for !=, otherwise false                      |
class FactCondition final : public Condition {
public:
    FactCondition(std::string fact, Comparison comparison, Value value)
        : fact_(std::move(fact)), comparison_(comparison), value_(std::move(value)) {}
    /// Holds if the fact is known and true.
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
