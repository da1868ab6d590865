extension StreamWriter {
    /// Writes the codes of all groups, then the steps.
    mutating func putSteps(
        _ steps: [Step], _ recipe: Recipe, width: Int, _ blocks: (bits: Int, numbers: [Int])?
    ) {
        func group(_ place: Int) -> Int {
            guard let blocks else { return 0 }
            let (x, y) = (place % width, place / width)
            return blocks.numbers[
                (y >> blocks.bits) * ((width - 1) >> blocks.bits + 1) + x >> blocks.bits]
        }
        let groupCount = 1 + (blocks?.numbers.max() ?? 0)
        var symbols = [[Set<Int>]](
            repeating: [Set<Int>](repeating: [], count: 5), count: groupCount)
        var place = 0
        for step in steps {
            let number = group(place)
            for (code, symbol) in step.symbols { symbols[number][code].insert(symbol) }
            place += step.pixels
        }
        let cacheSize = recipe.cacheBits > 0 ? 1 << recipe.cacheBits : 0
        let alphabets = [280 + cacheSize, 256, 256, 256, 40]
        let codes = symbols.map { group in
            zip(group, alphabets).map { used, alphabet in
                var codeDice = dice
                let code = PrefixCodeWriter(used, alphabet: alphabet, recipe.shape, &codeDice)
                dice = codeDice
                code.define(in: &bits, &dice)
                return code
            }
        }
        place = 0
        for step in steps {
            let group = codes[group(place)]
            for (code, symbol) in step.symbols {
                group[code].put(symbol, to: &bits)
                if case .copy(let length, let distance) = step {
                    let extra = DistanceCodes.prefix(code == 0 ? length : distance)
                    bits.put(extra.value, extra.bits)
                }
            }
            place += step.pixels
        }
    }
}

extension StreamWriter.Step {
    /// Number of pixels written.
    var pixels: Int { if case .copy(let length, _) = self { length } else { 1 } }

    /// Symbols, each with the index of its code in the group.
    var symbols: [(code: Int, symbol: Int)] {
        switch self {
        case .literal(let channels): channels.enumerated().map { ($0, $1) }
        case .copy(let length, let code):
            [
                (0, 256 + DistanceCodes.prefix(length).symbol),
                (4, DistanceCodes.prefix(code).symbol),
            ]
        case .cached(let index): [(0, 280 + index)]
        }
    }
}

/// Length and distance coding of back-references (RFC 9649, section 3.6.2.2).
enum DistanceCodes {
    /// Prefix symbol, extra bits and their number, for a length or distance code.
    static func prefix(_ number: Int) -> (symbol: Int, value: Int, bits: Int) {
        guard number > 4 else { return (number - 1, 0, 0) }
        let rest = number - 1
        let bits = rest.bitWidthNeeded - 2
        return (2 * bits + 2 + (rest >> bits & 1), rest & (1 << bits - 1), bits)
    }

    /// Upper bound on the distance of a code.
    static func distance(_ code: Int, width: Int) -> Int {
        guard code <= 120 else { return code - 120 }
        // The farthest neighbour is seven rows up and eight pixels to the left.
        return 7 * width + 8
    }
}
