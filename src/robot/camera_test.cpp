#include "robot/camera.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "robot/command_camera.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using views::CameraEncoding;

Bytes jpeg_with(unsigned content) {
    Bytes bytes;
    for (const unsigned value : {0xffU, 0xd8U, 0xffU, 0xdaU, 0U, 2U, content, 0xffU, 0xd9U})
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

struct PlayedCamera final : CameraSource {
    void take(Taken taken) override {
        ++asked;
        if (later) return void(held = std::move(taken));
        taken(next);
    }

    Result<std::shared_ptr<const CameraShot>> next =
        std::make_shared<const CameraShot>(CameraShot{.time = 5, .picture = Image{1, 1, {Pixel{}}}});
    std::size_t asked = 0;
    bool later = false;
    Taken held;
};

/// Encodes as the name of the encoding.
CameraCodec named_codec() {
    return {
        .encode = [](const Image&, CameraEncoding how) { return jpeg_with(static_cast<unsigned>(how)); },
        .convert = [](ByteView, CameraEncoding how) { return jpeg_with(10 + static_cast<unsigned>(how)); }};
}

struct DeskRig {
    std::optional<CameraPicture> ask(views::CameraEncodings wanted) {
        // Shared, because the answer may come later.
        const auto told = std::make_shared<std::optional<CameraPicture>>();
        desk.ask(std::move(wanted),
                 [told](ViewPicture picture) { *told = std::get<CameraPicture>(std::move(picture)); });
        loop.advance(1ms);
        return *told;
    }

    VirtualLoop loop;
    LocalStrand strand{loop};
    PlayedCamera camera;
    CameraDesk desk{strand, camera, named_codec()};
};

TEST(CameraDesk, TakesAndEncodesNothingWithoutARequest) {
    DeskRig rig;
    rig.loop.advance(10s);
    EXPECT_EQ(rig.camera.asked, 0U);
    EXPECT_EQ(rig.desk.count().encoded, 0U);
}

TEST(CameraDesk, EncodesOnlyWhatIsRequested) {
    DeskRig rig;
    const auto picture = rig.ask({CameraEncoding::half});
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->images[0], nullptr);
    ASSERT_NE(picture->images[1], nullptr);
    EXPECT_EQ(picture->images[1]->jpeg, jpeg_with(1));
    EXPECT_EQ(picture->images[1]->time, 5);
    EXPECT_EQ(rig.desk.count().encoded, 1U);
}

TEST(CameraDesk, EncodesAPictureOnceForAllWhoRequestIt) {
    DeskRig rig;
    const auto one = rig.ask({CameraEncoding::full});
    const auto other = rig.ask({CameraEncoding::full, CameraEncoding::gray});
    EXPECT_EQ(one->number, other->number);
    EXPECT_EQ(one->images[0], other->images[0]);
    EXPECT_EQ(rig.desk.count().encoded, 2U);
    EXPECT_EQ(rig.desk.count().taken, 1U);
}

TEST(CameraDesk, TakesOnePictureForRequestsThatWaitTogether) {
    DeskRig rig;
    rig.camera.later = true;
    EXPECT_FALSE(rig.ask({CameraEncoding::full}).has_value());
    int told = 0;
    rig.desk.ask({CameraEncoding::full}, [&](const ViewPicture&) { ++told; });
    rig.desk.ask({CameraEncoding::half}, [&](const ViewPicture&) { ++told; });
    rig.loop.advance(1ms);
    EXPECT_EQ(rig.camera.asked, 1U);
    rig.camera.held(rig.camera.next);
    EXPECT_EQ(told, 2);
}

TEST(CameraDesk, ConvertsWhatTheCameraHasEncoded) {
    DeskRig rig;
    rig.camera.next = std::make_shared<const CameraShot>(CameraShot{.time = 5, .picture = jpeg_with(99)});
    EXPECT_EQ(rig.ask({CameraEncoding::gray})->images[2]->jpeg, jpeg_with(12));
}

TEST(CameraDesk, ReportsWhyThereIsNoPictureOncePerSecond) {
    DeskRig rig;
    rig.camera.next = fail(Code::unavailable, "the lens cap is on");
    const auto first = rig.ask({CameraEncoding::full});
    EXPECT_EQ(first->images[0]->problem, "the lens cap is on");
    EXPECT_EQ(rig.ask({CameraEncoding::full})->number, first->number);
    rig.loop.advance(CameraDesk::problem_period);
    EXPECT_GT(rig.ask({CameraEncoding::full})->number, first->number);
    rig.camera.next = PlayedCamera{}.next;
    EXPECT_TRUE(rig.ask({CameraEncoding::full})->images[0]->problem.empty());
}

/// One program; its output and end are those of the test.
struct PlayedPrograms final : Processes {
    struct Running final : Process {
        explicit Running(PlayedPrograms& its_owner) : owner(its_owner) {}
        ~Running() override { owner.events = nullptr; }
        int id() const override { return 1; }
        void terminate() override {}
        void kill() override {}
        PlayedPrograms& owner;
    };
    Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                           ProcessEvents& its_events) override {
        ++starts;
        command = words;
        if (refuses) return fail(Code::not_found, "no such program");
        EXPECT_TRUE(its_events.wants_bytes());
        events = &its_events;
        return std::make_unique<Running>(*this);
    }

    ProcessEvents* events = nullptr;  ///< null: no program runs
    std::vector<std::string> command;
    int starts = 0;
    bool refuses = false;
};

struct CommandRig {
    Result<std::shared_ptr<const CameraShot>> take() {
        std::optional<Result<std::shared_ptr<const CameraShot>>> got;
        camera.take([&](auto taken) { got = std::move(taken); });
        if (!got) loop.advance(CommandCamera::max_wait);
        return *got;
    }
    /// Takes pictures as a viewer does.
    void watch(Duration span) {
        for (Duration passed{}; passed < span; passed += 100ms) {
            std::ignore = take();
            loop.advance(100ms);
        }
    }

    VirtualLoop loop;
    PlayedPrograms programs;
    MemoryLog log;
    CommandCamera camera{loop, programs, {"eye", "--fast"}, log};
};

TEST(CommandCamera, StartsItsProgramWithTheFirstRequest) {
    CommandRig rig;
    rig.loop.advance(10s);
    EXPECT_EQ(rig.programs.starts, 0);
    EXPECT_EQ(rig.take().error().message, "The camera is starting.");
    EXPECT_THAT(rig.programs.command, ElementsAre("eye", "--fast"));
    rig.programs.events->on_bytes(jpeg_with(1));
    ASSERT_TRUE(rig.take().has_value());
    EXPECT_EQ(std::get<Bytes>((*rig.take())->picture), jpeg_with(1));
    EXPECT_EQ(*rig.take(), *rig.take()) << "the same object until there is another picture";
}

TEST(CommandCamera, GivesTheLatestOfSeveralPictures) {
    CommandRig rig;
    std::ignore = rig.take();
    Bytes three = jpeg_with(1);
    append(three, jpeg_with(2));
    append(three, jpeg_with(3));
    rig.programs.events->on_bytes(three);
    EXPECT_EQ(std::get<Bytes>((*rig.take())->picture), jpeg_with(3));
}

TEST(CommandCamera, WaitsForTheNextPictureSoThatNoneIsMissed) {
    CommandRig rig;
    std::ignore = rig.take();
    std::vector<Bytes> shown;
    std::function<void(Result<std::shared_ptr<const CameraShot>>)> show = [&](const auto& taken) {
        shown.push_back(std::get<Bytes>((*taken)->picture));
    };
    // The viewer asks 1 ms before each picture.
    for (std::uint8_t i = 1; i <= 5; ++i) {
        if (i > 1) rig.camera.take(show);
        rig.loop.advance(1ms);
        rig.programs.events->on_bytes(jpeg_with(i));
        if (i == 1) rig.camera.take(show);
        rig.loop.advance(99ms);
    }
    EXPECT_THAT(shown, ElementsAre(jpeg_with(1), jpeg_with(2), jpeg_with(3), jpeg_with(4), jpeg_with(5)));
}

TEST(CommandCamera, AnswersARequestThatWaitsWhenItsProgramEnds) {
    CommandRig rig;
    std::ignore = rig.take();
    rig.programs.events->on_bytes(jpeg_with(1));
    ASSERT_TRUE(rig.take().has_value());
    std::string problem;
    rig.camera.take([&](const auto& taken) { problem = taken ? "a picture" : taken.error().message; });
    EXPECT_EQ(problem, "");
    rig.programs.events->on_end({.code = 3});
    EXPECT_THAT(problem, testing::HasSubstr("ended with code 3"));
}

TEST(CommandCamera, EndsItsProgramWhenNobodyWatches) {
    CommandRig rig;
    std::ignore = rig.take();
    rig.programs.events->on_bytes(jpeg_with(1));
    rig.watch(5s);
    EXPECT_TRUE(rig.camera.is_running());
    rig.loop.advance(CommandCamera::linger + 1s);
    EXPECT_FALSE(rig.camera.is_running());
    EXPECT_EQ(rig.programs.events, nullptr);
    std::ignore = rig.take();
    EXPECT_EQ(rig.programs.starts, 2) << "it starts again at once";
    EXPECT_FALSE(rig.take().has_value()) << "the old picture is not shown";
}

TEST(CommandCamera, StartsAgainAfterPausesThatGrow) {
    CommandRig rig;
    std::vector<Duration> pauses;
    for (int i = 0; i < 9; ++i) {
        std::ignore = rig.take();
        ASSERT_NE(rig.programs.events, nullptr);
        rig.programs.events->on_line("no such device");
        rig.programs.events->on_end({.code = 1});
        EXPECT_THAT(rig.take().error().message, HasSubstr("ended with code 1: no such device"));
        const Instant ended = rig.loop.clock().now();
        const int starts = rig.programs.starts;
        while (rig.programs.starts == starts) rig.watch(100ms);
        pauses.push_back(rig.loop.clock().now() - ended);
    }
    EXPECT_LT(pauses.front(), 1s);
    for (std::size_t i = 1; i < pauses.size(); ++i) EXPECT_GE(pauses[i], pauses[i - 1]);
    EXPECT_GT(pauses.back(), 29s);
    EXPECT_LT(pauses.back(), 32s);
}

TEST(CommandCamera, ReportsAProgramThatCannotBeStarted) {
    CommandRig rig;
    rig.programs.refuses = true;
    EXPECT_THAT(rig.take().error().message, HasSubstr("cannot be started: no such program"));
    EXPECT_TRUE(rig.log.mentions("no such program"));
    EXPECT_EQ(rig.log.lines.size(), 1U);
    rig.watch(60s);
    EXPECT_LT(rig.programs.starts, 10);
}

TEST(CommandCamera, ReportsAPictureThatIsOldAsMissing) {
    CommandRig rig;
    std::ignore = rig.take();
    rig.programs.events->on_bytes(jpeg_with(1));
    rig.loop.advance(CommandCamera::max_age - CommandCamera::max_wait);
    EXPECT_TRUE(rig.take().has_value());
    rig.watch(1s);
    EXPECT_THAT(rig.take().error().message, HasSubstr("no picture for"));
}

TEST(CommandCamera, GivesUpAProgramWithoutAPicture) {
    CommandRig rig;
    rig.watch(CommandCamera::first_limit + 500ms);
    EXPECT_THAT(rig.take().error().message, HasSubstr("no picture within 10 s"));
    EXPECT_EQ(rig.programs.events, nullptr);
}

TEST(CommandCamera, WarnsOfRubbishAndEndsAProgramThatWritesNothingElse) {
    CommandRig rig;
    std::ignore = rig.take();
    const Bytes rubbish(1_MiB, std::byte{0x55});
    rig.programs.events->on_bytes(rubbish);
    EXPECT_TRUE(rig.log.mentions("not JPEG images"));
    for (int i = 0; i < 8; ++i) rig.programs.events->on_bytes(rubbish);
    EXPECT_EQ(rig.log.lines.size(), 1U) << "one warning per start";
    rig.watch(1s);
    EXPECT_EQ(rig.programs.events, nullptr);
    EXPECT_THAT(rig.log.lines.back().text, HasSubstr("something else than JPEG images"));
}

}  // namespace
}  // namespace caribou::robot
