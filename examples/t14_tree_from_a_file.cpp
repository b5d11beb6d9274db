// t14: a tree from a file. Needs no broker: `t14_tree_from_a_file examples/trees/pet.json`.
//
// A tree can be defined in JSON files, so that it can be changed without a compiler. A file names classes; a
// registry creates their instances. Try the same file with `caribou tree show` and `caribou tree run`.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "behavior/class_registry.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

/// An action of our own: prints a text.
class SayAction final : public Action {
public:
    explicit SayAction(std::string text) : text_(std::move(text)) {}
    std::string_view name() const override { return "say"; }
    void start(Instant) override { std::printf("  \"%s\"\n", text_.c_str()); }
    std::optional<Outcome> poll(Instant) override { return Outcome::succeeded(); }
    void cancel() override {}

private:
    std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "examples/trees/pet.json";
    std::ifstream file(path);
    if (!file) {
        std::fprintf(stderr, "cannot open %s\n", path.c_str());
        return 1;
    }
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};

    // The registry is an ordinary object: created here, passed on, destroyed at the end of main.
    ClassRegistry classes;
    register_engine_classes(classes);
    // In a file: {"say": "hello"}. The reader checks the text, and rejects all other keys.
    classes.add(ActionClass{.name = "say",
                            .parameters = {{.name = "say", .kind = Parameter::Kind::text, .required = true}},
                            .make = [](const Arguments& arguments) {
                                return std::make_unique<SayAction>(arguments.text("say"));
                            }});

    // Returns either a complete, checked tree, or a list of all errors, with line numbers.
    auto loaded = load_tree(std::vector<TreeText>{{path, text}}, classes);
    if (!loaded) return std::fputs(to_string(loaded.error()).c_str(), stderr), 1;

    Facts facts;
    facts.set("battery", 50.0);
    BehaviorRunner runner(std::move(loaded->tree), facts);
    if (!runner.set_base(loaded->base)) return 1;
    std::string last;
    for (Instant now{}; now < Instant(3s); now += 60ms) {
        if (now == Instant(1200ms)) facts.set("stroked", true);
        runner.tick(now);
        const std::string top = runner.stack().empty() ? "nothing" : runner.stack().back()->id();
        if (top != last) std::printf("%.2f s: %s\n", to_seconds(now.time_since_epoch()), top.c_str());
        last = top;
    }
    return last.starts_with("purr") ? 0 : 1;
}
