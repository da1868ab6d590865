import AttachmentFormats
import Testing

@Suite("Lossless WebP that no encoder writes", .timeLimit(.minutes(2)))
struct LosslessWebPStreamTests {
    /// Compares the decoded rows with dwebp's.
    private func compare(_ recipes: [StreamWriter.Recipe], seed: Int = 0) throws {
        let tools = try WebPTools()
        var files: [[UInt8]] = []
        for (index, recipe) in recipes.enumerated() {
            let data = StreamWriter.picture(recipe, seed: seed + index)
            files.append(WebPFileWriter.file(WebPFileWriter.chunk("VP8L", data)))
            try tools.write(files[index], to: "\(index).webp")
        }
        try tools.run(
            recipes.enumerated().map { index, recipe in
                "dwebp -quiet \(index).webp \(recipe.isOpaque ? "-ppm" : "-pam") -o \(index).out"
            })
        for (index, recipe) in recipes.enumerated() {
            let reference = try WebPSamples(netpbm: tools.read("\(index).out"))
            let difference = try WebPSamples(lossless: files[index]).difference(from: reference)
            #expect(difference == nil, "\(recipe)")
        }
    }

    @Test("Every order of transforms is reversed", arguments: [false, true])
    func orders(isOpaque: Bool) throws {
        var orders: [[Int]] = [[]]
        for _ in 0..<4 {
            orders += orders.flatMap { order in
                (0...3).filter { !order.contains($0) }.map { order + [$0] }
            }
        }
        let distinct = Array(Set(orders))
        #expect(distinct.count == 65)
        try compare(
            distinct.enumerated().map { index, order in
                var recipe = StreamWriter.Recipe(width: 19 + index % 23, height: 11)
                recipe.transforms = order
                recipe.isOpaque = isOpaque
                recipe.colours = [2, 3, 4, 5, 16, 17, 200, 256][index % 8]
                return recipe
            }, seed: isOpaque ? 1000 : 2000)
    }

    @Test("Every predictor is reversed, in blocks of every size")
    func predictors() throws {
        try compare(
            (0...15).flatMap { mode in
                [2, 3, 9].map { bits in
                    var recipe = StreamWriter.Recipe(width: 21 + mode, height: 9)
                    recipe.transforms = [0]
                    recipe.mode = mode
                    recipe.blockBits = bits
                    return recipe
                }
            })
    }

    @Test("Every colour-cache size works, with and without groups")
    func caches() throws {
        try compare(
            (0...11).flatMap { bits in
                [false, true].map { hasGroups in
                    var recipe = StreamWriter.Recipe(width: 37, height: 31)
                    recipe.cacheBits = bits
                    recipe.hasGroups = hasGroups
                    recipe.blockBits = 2 + bits % 8
                    recipe.isOpaque = bits % 3 == 0
                    return recipe
                }
            })
    }

    @Test("Empty colour-cache entries are transparent, even if alpha is constant")
    func emptyPlaces() throws {
        try compare(
            (0...7).map { number in
                var recipe = StreamWriter.Recipe(width: 21, height: 13)
                recipe.cacheBits = 3 + number
                recipe.constantAlpha = number < 4 ? 255 : 7
                recipe.isGrey = number % 2 == 0
                recipe.transforms = number % 3 == 0 ? [0] : []
                return recipe
            })
        var recipe = StreamWriter.Recipe(width: 21, height: 13, cacheBits: 11)
        recipe.constantAlpha = 255
        var data = StreamWriter.picture(recipe, seed: 1)
        // An opaque image must not use empty entries.
        data[4] &= 0xEF
        let file = WebPFileWriter.file(WebPFileWriter.chunk("VP8L", data))
        let fault = #expect(throws: DecodingFault.self) { try WebPSamples(lossless: file) }
        #expect(fault?.code == .unsupported)
    }

    @Test("Codes of every length are read, in simple and normal form")
    func codes() throws {
        try compare(
            PrefixCodeWriter.Shape.allCases.flatMap { shape in
                (1...12).map { number in
                    var recipe = StreamWriter.Recipe(width: 5 * number, height: 7)
                    recipe.shape = shape
                    recipe.copies = number * 5
                    recipe.cacheBits = number % 4 == 0 ? 11 : 0
                    recipe.transforms = number % 2 == 0 ? [1, 2] : []
                    return recipe
                }
            })
    }

    @Test("Every distance code leads to its neighbour, also in narrow images")
    func neighbours() throws {
        try compare(
            (1...120).map { code in
                var recipe = StreamWriter.Recipe(width: code % 3 == 0 ? 3 : 17, height: 13)
                recipe.distanceCode = code
                recipe.longest = 12
                return recipe
            })
    }

    @Test("Copies may overlap their source and continue across rows")
    func overlaps() throws {
        try compare(
            (1...40).map { maxDistance in
                var recipe = StreamWriter.Recipe(width: 23, height: 17)
                recipe.maxDistance = maxDistance
                recipe.longest = 90
                recipe.isOpaque = maxDistance % 2 == 0
                recipe.transforms = maxDistance % 5 == 0 ? [3] : []
                recipe.colours = maxDistance % 3 == 0 ? 2 : 256
                return recipe
            })
    }

    @Test("Copies reach back a million pixels, up to the size of the ring")
    func farCopies() throws {
        try compare(
            [(false, false), (true, true)].map { isOpaque, isFar in
                var recipe = StreamWriter.Recipe(width: 1021, height: 1060)
                recipe.copies = 97
                recipe.longest = 4096
                recipe.maxDistance = 1 << 20 - 120
                recipe.isOpaque = isOpaque
                recipe.isFar = isFar
                return recipe
            })
    }

    @Test("Groups of codes that do not fit in memory are read again")
    func manyGroups() throws {
        var recipe = StreamWriter.Recipe(width: 257, height: 131)
        recipe.hasGroups = true
        recipe.blockBits = 3
        recipe.groups = 400
        recipe.cacheBits = 3
        recipe.shape = .steep
        try compare([recipe])
        recipe.blockBits = 2
        recipe.groups = 1300
        recipe.isSparse = true
        try compare([recipe], seed: 7)
    }
}
