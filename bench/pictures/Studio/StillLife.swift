import Foundation

/// Balls of different materials on a wooden table beside a window.
struct StillLife: PointScene {
    private let eye = Vector(0, 3.2, -10.6)
    private let light = Vector(-0.72, 0.62, -0.32).unit
    private let lightColour = Vector(1.75, 1.62, 1.42)
    private let balls: [Ball] = [
        Ball(centre: [-1.75, 1.02, 0.55], radius: 1.02, material: .glaze([0.045, 0.13, 0.26])),
        Ball(centre: [0.55, 1.25, 1.5], radius: 1.25, material: .clay([0.42, 0.13, 0.065])),
        Ball(centre: [2.35, 0.82, 0.2], radius: 0.82, material: .metal([0.96, 0.82, 0.58])),
        Ball(centre: [0.35, 0.62, -0.75], radius: 0.62, material: .orange),
        Ball(centre: [-0.95, 0.36, -1.35], radius: 0.36, material: .glass),
        Ball(centre: [1.45, 0.30, -1.55], radius: 0.30, material: .glaze([0.60, 0.05, 0.06])),
        Ball(centre: [-2.75, 0.42, -0.75], radius: 0.42, material: .glaze([0.72, 0.68, 0.60])),
    ]

    func light(at place: Plane) -> SIMD4<Float> {
        let ray = Vector(place.x * 0.325, place.y * 0.325 - 0.215, 1).unit
        return SIMD4(trace(from: eye, ray, bounces: 4), 1)
    }

    private func trace(from origin: Vector, _ ray: Vector, bounces: Int) -> Vector {
        let table = ray.y < -1e-4 ? -origin.y / ray.y : .infinity
        let hit = nearest(origin, ray)
        if let hit, hit.distance < table {
            return ballLight(hit.ball, origin + ray * hit.distance, ray, bounces)
        }
        let spot = origin + ray * table
        return table < 60 && spot.z < 5.5 && abs(spot.x) < 14
            ? surfaceLight(Wood.colour(Plane(spot.x, spot.z)), spot, Vector(0, 1, 0), except: nil)
            : room(ray)
    }

    private func nearest(_ origin: Vector, _ ray: Vector) -> (ball: Ball, distance: Float)? {
        var found: (ball: Ball, distance: Float)?
        for ball in balls {
            if let distance = ball.distance(from: origin, ray),
                distance < found?.distance ?? .infinity
            {
                found = (ball, distance)
            }
        }
        return found
    }

    private func ballLight(_ ball: Ball, _ place: Vector, _ ray: Vector, _ bounces: Int) -> Vector {
        let normal = ball.normal(at: place)
        let mirrored = ray.reflected(normal)
        let facing = max(-dot(ray, normal), 0)
        switch ball.material {
        case .metal(let tint):
            guard bounces > 0 else { return room(mirrored) * tint }
            let edge = mix(tint, .one, pow(1 - facing, 5))
            return trace(from: place + normal * 1e-3, mirrored, bounces: bounces - 1) * edge
        case .glass:
            return glassLight(ball, place, normal, ray, bounces)
        case .glaze(let colour), .clay(let colour):
            return surfaceLight(colour, place, normal, except: ball)
                + gloss(ball.material, place, normal, mirrored, facing, bounces)
        case .orange:
            let pores = Noise.fractal(Plane(normal.x, normal.y) * 9, octaves: 3, seed: 7)
            let colour = mix(Vector(0.72, 0.17, 0.012), Vector(0.76, 0.21, 0.016), 0.5 + pores)
            return surfaceLight(colour, place, normal, except: ball)
                + gloss(ball.material, place, normal, mirrored, facing, bounces)
        }
    }

    /// Reflections of a varnish: sharp on glaze, dull on other materials.
    private func gloss(
        _ material: Ball.Material, _ place: Vector, _ normal: Vector, _ mirrored: Vector,
        _ facing: Float, _ bounces: Int
    ) -> Vector {
        // Schlick's approximation (1994) with 4 % at normal incidence.
        let mirror = 0.04 + 0.96 * pow(1 - facing, 5)
        if case .glaze = material, bounces > 0 {
            return trace(from: place + normal * 1e-3, mirrored, bounces: bounces - 1) * mirror
        }
        let sheen = pow(max(dot(mirrored, light), 0), material.isClay ? 4 : 28)
        return lightColour
            * (sheen * (material.isClay ? 0.02 : 0.22) * sunShare(place, except: nil))
    }

    /// Reflection and double refraction of a glass ball.
    private func glassLight(
        _ ball: Ball, _ place: Vector, _ normal: Vector, _ ray: Vector, _ bounces: Int
    ) -> Vector {
        guard bounces > 0 else { return room(ray) }
        let facing = max(-dot(ray, normal), 0)
        let mirror = 0.04 + 0.96 * pow(1 - facing, 5)
        let image = trace(from: place + normal * 1e-3, ray.reflected(normal), bounces: bounces - 1)
        let inner = refracted(ray, normal, 1 / 1.5)
        let chord = -2 * dot(inner, normal) * ball.radius
        let exit = place + inner * chord
        let outward = (exit - ball.centre) / ball.radius
        let outer = refracted(inner, -outward, 1.5)
        let through = trace(from: exit + outward * 1e-3, outer, bounces: bounces - 1)
        let tint = exp(Vector(-0.35, -0.06, -0.22) * chord)
        return image * mirror + through * tint * (1 - mirror)
    }

    /// Direction of the refracted ray (Snell's law).
    ///
    /// The normal faces the ray.
    private func refracted(_ ray: Vector, _ normal: Vector, _ ratio: Float) -> Vector {
        let cosine = -dot(ray, normal)
        let rest = 1 - ratio * ratio * (1 - cosine * cosine)
        return (ray * ratio + normal * (ratio * cosine - max(rest, 0).squareRoot())).unit
    }

    /// Diffuse reflection of the window, the room and the neighbours.
    private func surfaceLight(
        _ colour: Vector, _ place: Vector, _ normal: Vector, except own: Ball?
    ) -> Vector {
        var room = Vector(0.20, 0.19, 0.19) * (0.6 + 0.4 * normal.y)
        var openness: Float = 1
        for ball in balls where ball != own {
            let towards = ball.centre - place
            let reach = towards.length
            // Share of a cosine-weighted hemisphere that a ball covers.
            let size = ball.radius / max(reach, ball.radius)
            let share = max(dot(normal, towards) / reach + size * 0.5, 0) * size * size
            openness *= 1 - min(share, 1)
            room += ball.material.tint * lightColour * (share * 0.10)
        }
        let underside = max(0.5 - normal.y * 0.5, 0)
        room += Vector(0.25, 0.15, 0.08) * (underside * 0.9)
        if own != nil {
            openness *= mix(smoothstep(0, 0.5, place.y), 1, 0.35 + 0.65 * (1 - underside))
        }
        let wrapped = max((dot(normal, light) + 0.12) / 1.12, 0)
        return colour * (lightColour * (wrapped * sunShare(place, except: own)) + room * openness)
    }

    /// Share of the window, taken as a disc, that is visible past the balls.
    private func sunShare(_ place: Vector, except own: Ball?) -> Float {
        let disc: Float = 0.19
        var share: Float = 1
        for ball in balls where ball != own {
            let towards = ball.centre - place
            let reach = towards.length
            guard dot(towards, light) > 0, reach > ball.radius else { continue }
            let size = asin(ball.radius / reach)
            let apart = acos(min(dot(towards, light) / reach, 1))
            let most = min(size * size / (disc * disc), 1) * (ball.material == .glass ? 0.55 : 1)
            share *= 1 - most * (1 - smoothstep(abs(size - disc), size + disc, apart))
        }
        return share
    }

    /// The room: a dim wall, a ceiling, and a bright window with a cross.
    private func room(_ ray: Vector) -> Vector {
        let dusk = smoothstep(-0.25, 0.9, ray.y - ray.x * 0.6)
        let slant = smoothstep(0.16, 0.02, abs(ray.x * 0.55 + ray.y + 0.02))
        let plaster = Noise.fractal(Plane(ray.x, ray.y) * 7, octaves: 5, seed: 21) * 0.10
        let wall =
            (mix(Vector(0.050, 0.060, 0.060), Vector(0.17, 0.18, 0.17), dusk)
                + Vector(0.16, 0.14, 0.11) * slant) * (1 + plaster)
        guard dot(ray, light) > 0.3 else { return wall }
        let across = Vector(light.z, 0, -light.x).unit
        let pane = Plane(dot(ray, across), ray.y - light.y * dot(ray, light)) / dot(ray, light)
        let frame =
            smoothstep(0.34, 0.31, abs(pane.x)) * smoothstep(0.40, 0.37, abs(pane.y))
            * smoothstep(0.012, 0.03, abs(pane.x)) * smoothstep(0.012, 0.03, abs(pane.y - 0.06))
        return wall + Vector(7.5, 7.8, 8.2) * frame
    }
}
