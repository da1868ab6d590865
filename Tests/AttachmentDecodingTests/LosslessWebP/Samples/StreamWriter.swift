import Randomness

/// Writes lossless pictures that no encoder makes: all that the format allows, by the roll of dice.
///
/// What they show is of no account; another decoder reads them too.
struct StreamWriter {
    /// What a picture is made of.
    struct Recipe {
        var width: Int
        var height: Int
        /// The kinds of transform in their order: predictor, colour, green, palette.
        var transforms: [Int] = []
        /// The side of blocks, as a power of two; nil for any.
        var blockBits: Int?
        /// The size of the colour cache; 0 for none.
        var cacheBits = 0
        /// Whether blocks have groups of codes of their own.
        var hasGroups = false
        /// How many there are, of which every second is used.
        var groups = 13
        /// Whether pixels take few values, so that codes are small.
        var isSparse = false
        /// The mode of the predictor; nil for any.
        var mode: Int?
        var shape = PrefixCodeWriter.Shape.balanced
        /// Whether alpha is the same in all coded pixels.
        var isOpaque = false
        /// What alpha then is; nil for 0 where it is the same.
        var constantAlpha: Int?
        /// Whether red and blue are 0 in all coded pixels.
        var isGrey = false
        /// Colours of a palette.
        var colours = 256
        /// Of 100 steps, how many copy.
        var copies = 30
        /// How long copies are at most, and how far; and where not nil which code of distance.
        var longest = 40
        var maxDistance = 1 << 20
        /// Whether copies come from as far as they can.
        var isFar = false
        var distanceCode: Int?
    }

    enum Step {
        case literal([Int])
        case copy(length: Int, code: Int)
        case cached(Int)
    }

    var bits = WebPBitWriter()
    var dice: SplitMix64

    init(seed: Int) { dice = SplitMix64(seed: UInt64(seed)) }

    /// A `VP8L` chunk's data.
    static func picture(_ recipe: Recipe, seed: Int) -> [UInt8] {
        var writer = StreamWriter(seed: seed)
        writer.bits.put(0x2F, 8)
        writer.bits.put(recipe.width - 1, 14)
        writer.bits.put(recipe.height - 1, 14)
        writer.bits.put(recipe.isOpaque ? 0 : 1, 4)
        writer.putBody(recipe)
        return writer.bits.finished()
    }

    /// The data of a compressed alpha plane.
    static func plane(_ recipe: Recipe, seed: Int) -> [UInt8] {
        var writer = StreamWriter(seed: seed)
        writer.putBody(recipe)
        return writer.bits.finished()
    }

    private mutating func putBody(_ recipe: Recipe) {
        var width = recipe.width
        for kind in recipe.transforms {
            bits.put(1, 1)
            bits.put(kind, 2)
            switch kind {
            case 0, 1: putBlocks(kind, recipe, width)
            case 3: width = putPalette(recipe, width)
            default: break
            }
        }
        bits.put(0, 1)
        putImage(recipe, width: width, height: recipe.height, isMain: true) { _, dice in
            // Small numbers often, as differences are.
            [0, 1, 2, 3].map { channel in
                if channel == 3, let alpha = recipe.constantAlpha { return alpha }
                if channel == 3 ? recipe.isOpaque : channel > 0 && recipe.isGrey { return 0 }
                if recipe.isSparse { return dice.roll(0...1) }
                return dice.chance(60) ? (256 + dice.roll(-3...3)) % 256 : dice.roll(0...255)
            }
        }
    }

    private mutating func putBlocks(_ kind: Int, _ recipe: Recipe, _ width: Int) {
        let side = recipe.blockBits ?? dice.roll(2...9)
        bits.put(side - 2, 3)
        let (across, down) = ((width - 1) >> side + 1, (recipe.height - 1) >> side + 1)
        var plain = Recipe(width: across, height: down)
        plain.cacheBits = dice.chance(30) ? dice.roll(1...11) : 0
        putImage(plain, width: across, height: down, isMain: false) { _, dice in
            let green = kind == 0 ? recipe.mode ?? dice.roll(0...13) : dice.roll(0...255)
            return [green, dice.roll(0...255), dice.roll(0...255), dice.roll(0...255)]
        }
    }

    private mutating func putPalette(_ recipe: Recipe, _ width: Int) -> Int {
        let count = recipe.colours
        bits.put(count - 1, 8)
        let isOpaque = recipe.isOpaque
        putImage(Recipe(width: count, height: 1), width: count, height: 1, isMain: false) {
            index, dice in
            [0, 1, 2].map { _ in dice.roll(0...255) }
                + [isOpaque ? (index == 0 ? 255 : 0) : dice.roll(0...255)]
        }
        let perPixel = count > 16 ? 1 : count > 4 ? 2 : count > 2 ? 4 : 8
        return (width - 1) / perPixel + 1
    }

    /// Writes an image, whose pixels are given as green, red, blue and alpha.
    private mutating func putImage(
        _ recipe: Recipe, width: Int, height: Int, isMain: Bool,
        _ pixel: (Int, inout SplitMix64) -> [Int]
    ) {
        bits.put(recipe.cacheBits > 0)
        if recipe.cacheBits > 0 { bits.put(recipe.cacheBits, 4) }
        var blocks: (bits: Int, numbers: [Int])?
        if isMain {
            bits.put(recipe.hasGroups)
            if recipe.hasGroups { blocks = putGroupNumbers(recipe, width, height) }
        }
        let steps = roll(recipe, width * height, width, pixel)
        putSteps(steps, recipe, width: width, blocks)
    }

    private mutating func putGroupNumbers(
        _ recipe: Recipe, _ width: Int, _ height: Int
    ) -> (bits: Int, numbers: [Int]) {
        let side = recipe.blockBits ?? dice.roll(2...9)
        bits.put(side - 2, 3)
        let (across, down) = ((width - 1) >> side + 1, (height - 1) >> side + 1)
        // A few groups are left without blocks.
        let numbers = (0..<across * down).map { _ in dice.roll(0...recipe.groups / 2) * 2 }
        var plain = Recipe(width: across, height: down)
        plain.copies = 0
        putImage(plain, width: across, height: down, isMain: false) { index, _ in
            [numbers[index] & 255, numbers[index] >> 8, 0, 0]
        }
        return (side, numbers)
    }

    private mutating func roll(
        _ recipe: Recipe, _ count: Int, _ width: Int, _ pixel: (Int, inout SplitMix64) -> [Int]
    ) -> [Step] {
        var steps: [Step] = []
        var place = 0
        while place < count {
            if place > 0, dice.chance(recipe.copies) {
                let length = min(dice.roll(1...recipe.longest), count - place)
                var code = recipe.distanceCode ?? 0
                if code == 0 {
                    let far = min(place, recipe.maxDistance)
                    code = 120 + dice.roll((recipe.isFar ? max(1, far - 2) : 1)...far)
                    if !recipe.isFar, dice.chance(50) { code = dice.roll(1...120) }
                }
                if DistanceCodes.distance(code, width: width) <= place {
                    steps.append(.copy(length: length, code: code))
                    place += length
                    continue
                }
            }
            // An empty place would be transparent.
            if recipe.cacheBits > 0, !recipe.isOpaque, place > 0, dice.chance(20) {
                steps.append(.cached(dice.roll(0...1 << recipe.cacheBits - 1)))
            } else {
                steps.append(.literal(pixel(place, &dice)))
            }
            place += 1
        }
        return steps
    }
}
