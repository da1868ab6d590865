/// Camera positions and times of the landscapes.
enum View {
    /// Without grain, for lossless files.
    static let clean = Development(grain: 0)
    /// Exposed for a sky that includes the sun.
    static let evening = Development(exposure: 0.62)
    static let cleanEvening = Development(exposure: 0.62, grain: 0)

    /// Mountains over a lake on a clear day.
    static let lake = Landscape(
        camera: Camera(height: 5, focalLength: 1.7, horizon: -0.22, range: 450...16_000),
        ground: Alps(seed: 10, offset: [1.07, 0.43]),
        sky: Sky(sun: Vector(-0.8, 0.45, 0.1), clouds: Clouds(cover: 0.5, seed: 14)),
        water: Water())

    /// A single mountain, in portrait format.
    static let peak = Landscape(
        camera: Camera(height: 5, focalLength: 2.3, horizon: -0.38, range: 450...16_000),
        ground: Alps(seed: 38, offset: [4.64, 3.07]),
        sky: Sky(sun: Vector(-0.8, 0.4, 0), haze: 0.04, clouds: Clouds(cover: 0.52, seed: 11)),
        water: Water(ripple: 0.018, seed: 5))

    /// A lake shortly before sunset.
    static let eveningLake = Landscape(
        camera: Camera(height: 5, focalLength: 1.4, horizon: -0.18, range: 450...16_000),
        ground: Alps(seed: 27, offset: [3.6, 3.07]),
        sky: Sky(
            sun: Vector(-0.75, 0.13, -0.25), haze: 0.04, clouds: Clouds(cover: 0.52, seed: 11)),
        water: Water(ripple: 0.018, seed: 5))

    /// Wooded ridges against the setting sun.
    static let ridges = ridges(offset: [5377, 4291], clouds: 10)
    /// Another view, with a wood in front.
    static let moreRidges = ridges(offset: [26_885, 21_455], clouds: 14)
    static let lastRidges = ridges(offset: [53_770, 42_910], clouds: 19)

    /// A desert in the morning.
    static let dunes = dunes(offset: [4147, 3201], clouds: 14)
    static let moreDunes = dunes(offset: [2639, 2037], clouds: 10)

    /// An aurora over snowy mountains.
    static let aurora = northernNight(Alps(seed: 64, offset: [10.84, 2.76]), aurora: 102)
    static let moreAurora = northernNight(Alps(seed: 57, offset: [10.07, 2.43]), aurora: 101)
    /// An aurora in twelve frames.
    static let dancingAurora = (0..<12).map {
        northernNight(Alps(seed: 127, offset: [17.77, 5.73]), aurora: 111, phase: Float($0) / 12)
    }

    private static func ridges(offset: Plane, clouds: UInt32) -> Landscape<Ridges, Sky> {
        Landscape(
            camera: Camera(height: 800, focalLength: 2.2, horizon: 0.2, range: 300...60_000),
            ground: Ridges(offset: offset),
            sky: Sky(
                sun: Vector(0.22, 0.04, 1), haze: 0.015,
                clouds: Clouds(cover: 0.5, seed: clouds)),
            air: Air(density: [0.06, 0.08, 0.13], scaleHeight: 380, glow: 0.9, shade: 1.5))
    }

    private static func dunes(offset: Plane, clouds: UInt32) -> Landscape<Dunes, Sky> {
        Landscape(
            camera: Camera(height: 85, focalLength: 1.5, horizon: 0.3, range: 6...12_000),
            ground: Dunes(offset: offset),
            sky: Sky(
                sun: Vector(-0.85, 0.25, 0.42), clouds: Clouds(cover: 0.35, size: 2, seed: clouds)),
            air: Air(density: [0.11, 0.125, 0.15], scaleHeight: 300))
    }

    private static func northernNight(
        _ summerRange: Alps, aurora: UInt32, phase: Float = 0
    ) -> Landscape<Alps, NightSky> {
        var range = summerRange
        range.snowLine = -300
        return Landscape(
            camera: Camera(height: 5, focalLength: 1.1, horizon: -0.33, range: 450...16_000),
            ground: range,
            sky: NightSky(phase: phase, seed: aurora),
            water: Water(ripple: 0.015))
    }
}
