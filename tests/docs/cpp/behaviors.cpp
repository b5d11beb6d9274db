#include <memory>
#include <string>
#include <vector>

#include <caribou/behavior/action.hpp>
#include <caribou/behavior/engine_classes.hpp>
#include <caribou/behavior/tree_loader.hpp>

using namespace caribou;

class SayAction final : public behavior::Action {
public:
    explicit SayAction(std::string) {}
    std::string_view name() const override { return "say"; }
    void start(Instant) override {}
    std::optional<behavior::Outcome> poll(Instant) override { return behavior::Outcome::succeeded(); }
    void cancel() override {}
};

void load(const std::vector<behavior::TreeText>& files) {
#include <behaviors.1.inc>
}
