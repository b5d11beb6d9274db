#include "behavior_robot.hpp"

#include <string>

#include "behavior/fact_condition.hpp"
#include "behavior/strict_priority.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

using namespace behavior;

/// Always delegates to its first child.
class Link final : public CountingBehavior {
public:
    using CountingBehavior::CountingBehavior;

protected:
    void on_activated(Control& control) override {
        if (!delegates.empty() && control.wants(*delegates.front()))
            (void)control.delegate(*delegates.front());
    }
};

/// Starts its children in turn, one per tick. Declared as repeating; otherwise the loop guard would end it.
class Juggler final : public CountingBehavior {
public:
    explicit Juggler(std::string id) : CountingBehavior(std::move(id)) {
        OperationModifiers modifiers;
        modifiers.declares_repeat = true;
        (void)declare(modifiers);
    }

protected:
    void update(Control& control) override {
        if (!control.is_active()) return;
        (void)control.cancel_delegates();
        Behavior& next = *delegates[turn_++ % delegates.size()];
        if (control.wants(next)) (void)control.delegate(next);
    }

private:
    std::size_t turn_ = 0;
};

std::string numbered(std::string_view name, std::size_t number) {
    return std::string(name) + std::to_string(number);
}

}  // namespace

Robot::Robot(const RobotShape& shape) {
    auto tree = std::make_unique<BehaviorTree>();
    const std::size_t per_layer = (shape.in_scope - shape.depth) / shape.depth;
    std::vector<Behavior*> layers;
    std::size_t made = 0;
    const auto leaf = [&] {
        auto& added = tree->emplace<CountingBehavior>(numbered("leaf", made++));
        in_scope_.push_back(&added);
        return &added;
    };
    // From the top of the stack down, because each layer needs its first child.
    for (std::size_t i = shape.depth; i > 0; --i) {
        const std::string id = numbered("layer", i - 1);
        Behavior* const above = layers.empty() ? nullptr : layers.back();
        if (shape.dispatchers) {
            auto& layer = tree->emplace<StrictPriority>(id);
            layer.want_always();  // no leaf ever wants control
            for (std::size_t j = 0; j < per_layer; ++j) {
                Behavior* const child = leaf();
                (void)child->wants_when(std::make_unique<FactCondition>("never"));
                layer.add(*child);
            }
            if (above) layer.add(*above);
            layers.push_back(&layer);
            continue;
        }
        CountingBehavior* layer = nullptr;
        if (above) {
            layer = &tree->emplace<Link>(id);
            layer->delegates.push_back(above);
        } else if (shape.busy) {
            layer = &tree->emplace<Juggler>(id);
        } else {
            layer = &tree->emplace<CountingBehavior>(id);
        }
        for (std::size_t j = 0; j < per_layer; ++j) {
            CountingBehavior* const child = leaf();
            layer->delegates.push_back(child);
            if (!above && shape.busy)
                for (std::size_t k = 0; k < 2; ++k)
                    child->delegates.push_back(&tree->emplace<CountingBehavior>(numbered("below", made++)));
        }
        in_scope_.push_back(layer);
        layers.push_back(layer);
    }
    while (tree->size() < shape.in_tree) tree->emplace<CountingBehavior>(numbered("far", made++));

    runner_ = std::make_unique<BehaviorRunner>(std::move(tree), facts_);
    if (!runner_->set_base("layer0")) give_up("the bench has no base");
    tick();
    const std::size_t expected = shape.depth + (shape.busy ? 1 : 0);
    if (runner_->stack().size() != expected) give_up("the stack is not as deep as it was meant to be");
}

}  // namespace caribou::bench
