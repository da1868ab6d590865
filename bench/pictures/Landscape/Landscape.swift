import Foundation

/// A level camera without tilt, so that each line of the frame is a vertical plane.
struct Camera: Sendable {
    /// Above the water, in metres.
    var height: Float
    /// The focal length relative to half the frame's longer side.
    var focalLength: Float
    /// Position of the horizon in the frame.
    var horizon: Float
    /// Nearest and farthest ground drawn, in metres ahead.
    var range: ClosedRange<Float>
}

/// The air between the camera and the ground.
struct Air: Sendable {
    /// Optical depth per kilometre at water level, for each primary.
    var density: Vector = [0.010, 0.018, 0.036]
    /// Height at which the density falls to 37 %, in metres.
    var scaleHeight: Float = 2500
    /// Share of the horizon's light that the air scatters.
    var glow: Float = 0.85
    /// Share of the whole sky's light that the air scatters.
    var shade: Float = 0.3
}

/// Ground, water and sky as seen by a camera.
///
/// Each line of the frame is traversed once, from near to far. Ground that rises above everything
/// before it fills the rows between.
struct Landscape<Ground: Terrain, Above: Firmament>: Scene {
    var camera: Camera
    var ground: Ground
    var sky: Above
    var air = Air()
    var water: Water?

    func column(_ x: Float, _ heights: [Float]) -> [SIMD4<Float>] {
        let slopes = heights.map { ($0 - camera.horizon) / camera.focalLength }
        let ahead = Plane(x / camera.focalLength, 1)
        let distances = visibleGround(slopes, ahead)
        var lights = zip(slopes, distances).map { slope, distance in
            let direction = Vector(ahead.x, slope, ahead.y).unit
            return distance.isFinite
                ? groundLight(ahead * distance, slope: slope, distance: distance, direction)
                : sky.light(direction)
        }
        water?.fill(&lights, slopes, distances, ahead, camera: camera, sky: sky)
        return lights.map { SIMD4($0, 1) }
    }

    /// Distance of the visible ground in each row; infinity for sky and water.
    private func visibleGround(_ slopes: [Float], _ ahead: Plane) -> [Float] {
        var distances = [Float](repeating: .infinity, count: slopes.count)
        let pixel = slopes.count > 1 ? slopes[0] - slopes[1] : 0.001
        let finest = max(pixel, 0.0004)
        var row = slopes.count - 1
        var (lastSlope, lastDistance) = (slopes[row], camera.range.lowerBound)
        var stride = finest
        while lastDistance < camera.range.upperBound, row >= 0 {
            let distance = lastDistance * (1 + stride)
            let height = ground.height(ahead * distance, detail: distance * finest)
            // Ground under water hides nothing. The rows of the water are computed exactly.
            let isDry = water == nil || height > 0
            let slope = ((isDry ? height : 0) - camera.height) / distance
            if slope >= slopes[row], stride > finest {
                stride = max(stride / 8, finest)
                continue
            }
            while row >= 0, slopes[row] <= slope {
                if isDry {
                    let share = (slopes[row] - lastSlope) / max(slope - lastSlope, 1e-9)
                    distances[row] = mix(lastDistance, distance, min(max(share, 0), 1))
                }
                row -= 1
            }
            (lastSlope, lastDistance) = (slope, distance)
            // Far below the last visible row, ground cannot become visible within a long step.
            stride = max(finest, (slopes[max(row, 0)] - slope - pixel * 4) * 0.35)
        }
        return distances
    }

    private func groundLight(
        _ place: Plane, slope: Float, distance: Float, _ direction: Vector
    ) -> Vector {
        let detail = distance * 0.0008
        let height = camera.height + slope * distance
        let step = max(detail * 0.75, 0.02)
        let here = ground.height(place, detail: detail)
        let right = ground.height(place + Plane(step, 0), detail: detail)
        // Sampled towards the camera, because ground behind a crest has another slope.
        let nearer = ground.height(place - Plane(0, step), detail: detail)
        let normal = Vector(here - right, step, nearer - here).unit
        let albedo = ground.albedo(place, height: height, normal: normal, detail: detail)
        let facing = max(dot(normal, sky.sun), 0)
        let sun = facing > 0 ? facing * sunShare(place, height, distance) : 0
        // Sunlit ground lights upright surfaces.
        let around = 0.024 + max(1 - normal.y, 0) * 0.08
        let light = sky.sunlight * (sun + around) + sky.skylight * (0.4 + 0.6 * normal.y)
        return veiled(albedo * light, slope: slope, distance: distance, direction)
    }

    /// Share of the sun's disc visible from a position, from 0 to 1.
    private func sunShare(_ place: Plane, _ height: Float, _ distance: Float) -> Float {
        var share: Float = 1
        // Random step lengths turn banding in soft shadows into grain.
        let chance = Noise.random(Int(place.x * 64), Int(place.y * 64), seed: 91).x
        var reach = max(distance * 0.004, 0.3) * (1 + 0.15 * chance)
        while share > 0, height + sky.sun.y * reach < ground.ceiling {
            let towards = place + Plane(sky.sun.x, sky.sun.z) * reach
            let clearance =
                height + sky.sun.y * reach
                - ground.height(towards, detail: reach * 0.1 + distance * 0.001)
            share = min(share, 0.75 + clearance / reach * 28)
            reach += max(reach * 0.15, clearance * 0.7)
        }
        return max(share, 0)
    }

    /// Light after extinction and scattering by the air.
    private func veiled(
        _ light: Vector, slope: Float, distance: Float, _ direction: Vector
    ) -> Vector {
        // The integral of exp(-height / scale) along a straight line.
        let base = Foundation.exp(-camera.height / air.scaleHeight)
        let fall = slope * distance / air.scaleHeight
        let thinning = abs(fall) < 1e-3 ? 1 : (1 - Foundation.exp(-fall)) / fall
        let clear = exp(-air.density * (distance / 1000 * base * thinning))
        let horizon = sky.air(Vector(direction.x, 0.02, direction.z).unit)
        return light * clear + (horizon * air.glow + sky.skylight * air.shade) * (1 - clear)
    }
}
