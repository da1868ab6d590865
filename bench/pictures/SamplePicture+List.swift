import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

extension SamplePicture {
    /// All files, in the order of the README's table.
    static let all = photographs + drawings + moving + oddities

    /// Typical for cameras.
    private static let photographs = [
        SamplePicture(
            name: "lake-baseline.jpg", scenes: [View.lake],
            size: PixelSize(width: 4032, height: 3024), samples: 1,
            film: Development(grain: 0.004), encoding: .jpeg(quality: 52)),
        SamplePicture(
            name: "ridges-progressive.jpg", scenes: [View.ridges],
            size: PixelSize(width: 3000, height: 2000), samples: 1, film: View.evening,
            encoding: .jpeg(quality: 86, ["interlace": .flag(true)])),
        SamplePicture(
            name: "peak-orientation-6.jpg", scenes: [View.peak],
            size: PixelSize(width: 1200, height: 1600),
            encoding: .jpeg(quality: 76, orientation: .rotated90)),
        SamplePicture(
            name: "gerbera-display-p3.jpg", scenes: [Gerbera()],
            size: PixelSize(width: 1600, height: 1200), film: Development(gamut: .displayP3),
            encoding: .jpeg(quality: 84, ["profile": .name("p3")])),
        SamplePicture(
            name: "dunes-cmyk.jpg", scenes: [View.dunes],
            size: PixelSize(width: 1080, height: 720),
            encoding: .jpeg(quality: 80, channels: .inks)),
        SamplePicture(
            name: "dunes-grey.jpg", scenes: [View.moreDunes],
            size: PixelSize(width: 1080, height: 1080),
            film: Development(exposure: 0.85, grain: 0.02, monochrome: true),
            encoding: .jpeg(quality: 80, channels: .grey)),
        SamplePicture(
            name: "still-life-ready.jpg", scenes: [StillLife()],
            size: PixelSize(width: 640, height: 480), samples: 3,
            encoding: .jpeg(quality: 82, ["strip": .flag(true)])),
        SamplePicture(
            name: "lake-evening.heic", scenes: [View.eveningLake],
            size: PixelSize(width: 2016, height: 1512), samples: 1,
            encoding: Encoding(
                saver: "heifsave_target",
                options: ["compression": .name("hevc"), "Q": .number(50), "effort": .number(4)])),
        SamplePicture(
            name: "aurora.avif", scenes: [View.aurora],
            size: PixelSize(width: 1920, height: 1280), samples: 1,
            encoding: Encoding(
                saver: "heifsave_target",
                options: ["compression": .name("av1"), "Q": .number(60), "effort": .number(3)])),
    ]

    /// Typical for screenshots, designs and archives.
    private static let drawings = [
        SamplePicture(
            name: "still-life.png", scenes: [StillLife()],
            size: PixelSize(width: 720, height: 480), samples: 3, film: View.clean,
            encoding: .png(.colour)),
        SamplePicture(
            name: "thimble-alpha.png", scenes: [Thimble()],
            size: PixelSize(width: 640, height: 640), samples: 3, film: View.clean,
            encoding: .png(.colourAndAlpha)),
        SamplePicture(
            name: "aurora-16-bit.png", scenes: [View.moreAurora],
            size: PixelSize(width: 432, height: 288), film: View.clean,
            encoding: .png(.deepColour)),
        SamplePicture(
            name: "gerbera-palette.png", scenes: [Gerbera(isCutOut: true)],
            size: PixelSize(width: 600, height: 600), film: View.clean,
            encoding: .png(.colourAndAlpha, ["palette": .flag(true)])),
        SamplePicture(
            name: "ridges-interlaced.png", scenes: [View.moreRidges],
            size: PixelSize(width: 720, height: 480), film: View.cleanEvening,
            encoding: .png(.colour, ["interlace": .flag(true)])),
        SamplePicture(
            name: "meadow-lossy.webp", scenes: [Meadow()],
            size: PixelSize(width: 1440, height: 960),
            encoding: Encoding(saver: "webpsave_target", options: ["Q": .number(80)])),
        SamplePicture(
            name: "bubbles-lossless.webp", scenes: [Bubbles()],
            size: PixelSize(width: 560, height: 560), samples: 3, film: View.clean,
            encoding: Encoding(
                saver: "webpsave_target", options: ["lossless": .flag(true)],
                channels: .colourAndAlpha)),
        SamplePicture(
            name: "meadow.tiff", scenes: [Meadow()],
            size: PixelSize(width: 480, height: 640), film: View.clean,
            encoding: Encoding(
                saver: "tiffsave_target",
                options: ["compression": .name("deflate"), "predictor": .name("horizontal")])),
    ]

    /// Animations, movies and sound.
    private static let moving = [
        SamplePicture(
            name: "aurora-animated.gif", scenes: View.dancingAurora,
            size: PixelSize(width: 480, height: 320), samples: 1, film: View.clean,
            encoding: Encoding(saver: "gifsave_target", options: ["dither": .number(0)])),
        SamplePicture(
            name: "aurora-animated.webp", scenes: View.dancingAurora,
            size: PixelSize(width: 480, height: 320), samples: 1, film: View.clean,
            encoding: Encoding(saver: "webpsave_target", options: ["Q": .number(70)])),
        SamplePicture(
            name: "aurora-animated.png", scenes: View.dancingAurora,
            size: PixelSize(width: 150, height: 100), samples: 1, film: View.clean,
            encoding: .png(.colour), assembly: .animatedPNG(milliseconds: 100)),
        SamplePicture(
            name: "aurora.avi", scenes: View.dancingAurora,
            size: PixelSize(width: 480, height: 320), samples: 1, film: View.clean,
            encoding: .jpeg(quality: 70), assembly: .motionJPEG(rate: 10)),
        SamplePicture(name: "chime.wav", assembly: .chime),
    ]

    /// Damaged and unusual files.
    private static let oddities = [
        SamplePicture(
            name: "ridges-truncated.jpg", scenes: [View.lastRidges],
            size: PixelSize(width: 900, height: 600), film: View.evening, damage: .cut(0.6)),
        SamplePicture(
            name: "letter.jpg",
            damage: .text(
                """
                Dear reader,

                this is no picture. I am a letter, and somebody has named me letter.jpg. Please \
                tell them kindly.

                Yours, a few lines of text

                """)),
    ]
}
