#include "bus/mission_template.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Files in memory, and the macros of a command line.
struct Templates {
    Result<ExpandedTemplate> expand(const std::string& text,
                                    UndefinedMacro undefined = UndefinedMacro::keep_line) const {
        TemplateMacros defined;
        for (const auto& [name, value] : macros) defined.define(name, value);
        return expand_template({"a.moos", text}, defined, undefined,
                               [this](const std::string& name) -> Result<TemplateFile> {
                                   const auto found = files.find(name);
                                   if (found == files.end()) return fail(Code::not_found, "no " + name);
                                   return TemplateFile{name, found->second};
                               });
    }
    std::string text(const std::string& of) const {
        const auto expanded = expand(of);
        return expanded ? expanded->text : expanded.error().message;
    }

    std::map<std::string, std::string> macros{};
    std::map<std::string, std::string> files{};
};

TEST(MissionTemplate, ReplacesMacrosAlsoInsideOfValues) {
    const Templates abe{{{"VNAME", "abe"}, {"EMPTY", ""}, {"FULL", "v_$(VNAME)"}}};
    EXPECT_EQ(abe.text("name = $(VNAME), %(VNAME)\n"), "name = abe, ABE\n");
    EXPECT_EQ(abe.text("$(FULL) %(FULL)\n"), "v_abe V_ABE\n");
    EXPECT_EQ(abe.text("[$(EMPTY)] [$(EMPTY=d)] [$(EMPTY:=d)]\n"), "[] [] [d]\n");
    EXPECT_EQ(abe.text("$(NONE=d) $(NONE:=$(VNAME)) $(VNAME=d)\n"), "d abe abe\n");
    EXPECT_EQ(Templates({{{"N", "A"}, {"A_A", "2"}}}).text("$(A_$(N))\n"), "2\n");
    EXPECT_EQ(abe.text("${NOT_OURS} $() $(open\n"), "${NOT_OURS} $() $(open\n");
}

TEST(MissionTemplate, LeavesALineWithAnUndefinedMacroAsItIs) {
    const Templates abe{{{"VNAME", "abe"}}};
    const std::string line = "x = $(VNAME) $(NONE)\n";
    const auto kept = abe.expand(line);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->text, line);
    EXPECT_THAT(kept->warnings, ElementsAre("a.moos:1: warning: the macro `NONE` is not defined; define it "
                                            "with `NONE=value`"));
    EXPECT_EQ(abe.expand(line, UndefinedMacro::keep_macro)->text, "x = abe $(NONE)\n");
    EXPECT_THAT(abe.expand(line, UndefinedMacro::refuse).error().message, HasSubstr("a.moos:1: error: "));
    EXPECT_THAT(abe.expand("// $(NONE)\n")->warnings, IsEmpty());
}

TEST(MissionTemplate, DefinesMacros) {
    const Templates abe{{{"VNAME", "abe"}}};
    EXPECT_EQ(
        abe.text("  #define A  one   two\n#define $(VNAME) x\n#define NOTHING\n$(A) $(abe) [$(NOTHING)]\n"),
        "one two x []\n");
    const auto again = abe.expand("#define A 1\n#define A 1\n#define A 2\n$(A)\n");
    EXPECT_EQ(again->text, "2\n");
    EXPECT_THAT(again->warnings, ElementsAre(HasSubstr("a.moos:3: warning: the macro `A` is defined again")));
    EXPECT_THAT(abe.text("#define\n"), HasSubstr("error: expected the name of a macro"));
    EXPECT_THAT(abe.text("#define A $(A)\n$(A)\n"), HasSubstr("a.moos:2: error: the macros of this line"));
}

TEST(MissionTemplate, IncludesFilesAndSectionsOfThem) {
    const Templates abe{{{"WHAT", "plug"}},
                        {{"plug.moos", "#define IN 1\nfirst\n"},
                         {"many.moos", "<tag> one\n1\n#dropped\n<tag> two\n2\n"},
                         {"loop.moos", "#include loop.moos\n"}}};
    EXPECT_EQ(abe.text("#include $(WHAT).moos\n$(IN)\n"), "first\n\n1\n");
    EXPECT_EQ(abe.text("#include \"plug.moos\"\nend"), "first\n\nend\n");
    EXPECT_EQ(abe.text("#include many.moos <one>\n"), "1\n\n");
    EXPECT_EQ(abe.text("#include many.moos <two>\n"), "2\n\n");
    EXPECT_EQ(abe.text("\n#include none.moos\n"), "a.moos:2: error: no none.moos");
    EXPECT_EQ(abe.text("#include loop.moos\n"), "loop.moos:1: error: loop.moos includes itself");
}

TEST(MissionTemplate, ChoosesBranches) {
    const Templates abe{{{"A", "1"}, {"B", ""}, {"C", "1"}}};
    const auto holds = [&](const std::string& condition) {
        return abe.text(condition + "\nyes\n#else\nno\n#endif\n") == "yes\n";
    };
    EXPECT_TRUE(holds("#ifdef A"));
    EXPECT_FALSE(holds("#ifdef B")) << "defined, but empty";
    EXPECT_FALSE(holds("#ifdef NONE"));
    EXPECT_TRUE(holds("#ifdef A 1"));
    EXPECT_TRUE(holds("#ifdef A C")) << "compared with the value of another macro";
    EXPECT_FALSE(holds("#ifdef A 2"));
    EXPECT_TRUE(holds("#ifdef A 2 || C 1"));
    EXPECT_FALSE(holds("#ifdef A 1 && C 2"));
    EXPECT_TRUE(holds("#ifdef A 1 && C 1"));
    EXPECT_FALSE(holds("#ifdef A 1 || A 1 && C 1")) << "mixed";
    EXPECT_TRUE(holds("#ifndef B NONE"));
    EXPECT_FALSE(holds("#ifndef B A"));
}

TEST(MissionTemplate, NestsBranchesAndTakesOneOfEach) {
    const Templates abe{{{"A", "2"}}};
    EXPECT_EQ(abe.text("#ifdef A 1\n1\n#elseifdef A 2\n2\n#ifdef NONE\nx\n#else\ny\n#endif\n#elseifdef A\n3\n"
                       "#else\n4\n#endif\nend\n"),
              "2\ny\nend\n");
    EXPECT_EQ(abe.text("#ifdef NONE\n#include missing\n#ifdef A\nx\n#else\ny\n#endif\n#endif\nend\n"),
              "end\n");
    EXPECT_THAT(abe.text("#endif\n"), HasSubstr("`#endif` without `#ifdef`"));
    EXPECT_THAT(abe.expand("x\n#ifdef A\n")->warnings,
                ElementsAre(HasSubstr("a.moos:2: warning: there is no `#endif`")));
}

TEST(MissionTemplate, ReadsFilesOfMacros) {
    TemplateMacros macros;
    ASSERT_TRUE(
        read_macros({"m", "# comment\n// comment\nA = 1\nB=\"two words\" // why\nC = $(A)$(B)\n"}, macros));
    EXPECT_EQ(macros.value_of("B"), "two words");
    EXPECT_EQ(macros.value_of("C"), "1two words");
    EXPECT_EQ(read_macros({"m", "\nA\n"}, macros).error().message, "m:2: error: expected `NAME = value`");
}

/// A text without macros and directives is not changed; the result of expanding is not changed by expanding
/// again.
RC_GTEST_PROP(MissionTemplate, ChangesNothingButMacrosAndDirectives, ()) {
    const auto word = rc::gen::elementOf(std::vector<std::string>{
        "$(A)", "%(A)", "$(B=x)", "$(B:=x)", "$(", ")", "text", " ", "//", "=", "$(A=$(A))", "{", "\n"});
    const auto words = *rc::gen::container<std::vector<std::string>>(word);
    std::string text;
    for (const std::string& each : words) text += each;
    text += "\n";
    const Templates all{{{"A", "a"}}};
    const auto once = all.expand(text);
    RC_ASSERT(once.has_value());
    const auto twice = all.expand(once->text);
    RC_ASSERT(twice.has_value() && twice->text == once->text);
    if (!text.contains("$(") && !text.contains("%(")) RC_ASSERT(once->text == text);
}

}  // namespace
}  // namespace caribou::bus
