import Randomness

/// Writes random lossless images that use everything the format allows.
///
/// The content is arbitrary; another decoder provides the reference.
struct StreamWriter {
    /// Parameters of an image.
    struct Recipe {
        var width: Int
        var height: Int
        /// Transform types in order: predictor, cross-colour, subtract-green, colour-indexing.
        var transforms: [Int] = []
        /// Side of blocks as a power of two; nil for random.
        var blockBits: Int?
        /// Size of the colour cache; 0 for none.
        var cacheBits = 0
        /// True if blocks have separate groups of codes.
        var hasGroups = false
        /// Number of groups, of which every second one is used.
        var groups = 13
        /// True if pixels take few values, so that codes are small.
        var isSparse = false
        /// Predictor mode; nil for random.
        var mode: Int?
        var shape = PrefixCodeWriter.Shape.balanced
        /// True if alpha is the same in all coded pixels.
        var isOpaque = false
        /// Constant alpha value; nil means 0.
        var constantAlpha: Int?
        /// True if red and blue are 0 in all coded pixels.
        var isGrey = false
        /// Palette size.
        var colours = 256
        /// Copies per 100 steps.
        var copies = 30
        /// Limits on the length and distance of copies, and a fixed distance code if not nil.
        var longest = 40
        var maxDistance = 1 << 20
        /// True if copies use the largest possible distance.
        var isFar = false
        var distanceCode: Int?
    }

    enum Step {
        case literal([Int])
        case copy(length: Int, code: Int)
        case cached(Int)
    }

    var bits = BitWriter()
    var dice: SplitMix64

    init(seed: Int) { dice = SplitMix64(seed: UInt64(seed)) }

    /// The data of a `VP8L` chunk.
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
            // Mostly small numbers, like residuals.
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

    /// Writes an image with pixels of green, red, blue and alpha.
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
        // Leaves a few groups without blocks.
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
            // An empty entry would be transparent.
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
