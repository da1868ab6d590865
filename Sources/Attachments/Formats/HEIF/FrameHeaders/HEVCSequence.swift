internal import AttachmentContainer

/// Facts of a sequence parameter set that determine memory (H.265, 7.3.2.2.1).
struct HEVCSequence {
    let identifier: Int
    let chroma: ChromaSubsampling?
    /// Coded luma samples per row, before the conformance window.
    let width: Int
    let height: Int
    let lumaBitDepth: Int
    let chromaBitDepth: Int
    let treeBlock: Int
    let usesSampleAdaptiveOffset: Bool
    /// Size of the decoded picture buffer, with the current picture.
    let heldPictures: Int
    let referenceSets: [HEVCReferenceSet]
    /// Candidates for long-term references; nil if slices have no such references.
    let longTermCandidates: [HEVCLongTermReference]?
    let pictureOrderBits: Int
    let hasSeparatePlanes: Bool
    let size: PixelSize

    init?(_ unit: ArraySlice<UInt8>) {
        var bits = SyntaxBits(nalUnit: unit)
        bits.skip(4)
        let subLayers = bits.bits(3)
        bits.skip(1)
        Self.skipProfile(&bits, subLayers: subLayers)
        identifier = bits.unsignedGolomb()
        let chromaFormat = bits.unsignedGolomb()
        chroma = ChromaSubsampling(chromaFormat: chromaFormat)
        hasSeparatePlanes = chromaFormat == 3 && bits.flag()
        width = bits.unsignedGolomb()
        height = bits.unsignedGolomb()
        // conf_win_left_offset, right, top and bottom.
        var window = [0, 0, 0, 0]
        if bits.flag() {
            for index in 0..<4 { window[index] = bits.unsignedGolomb() }
        }
        lumaBitDepth = bits.unsignedGolomb() + 8
        chromaBitDepth = bits.unsignedGolomb() + 8
        pictureOrderBits = bits.unsignedGolomb() + 4
        let hasOrderOfEach = bits.flag()
        var buffered = 0
        for _ in 0..<(hasOrderOfEach ? subLayers + 1 : 1) {
            buffered = bits.unsignedGolomb()
            for _ in 0..<2 { _ = bits.unsignedGolomb() }
        }
        heldPictures = min(buffered, HEVCReferenceSet.maximumReferences) + 1
        let blocks = Blocks(&bits)
        if bits.flag(), bits.flag() { Self.skipScalingLists(&bits) }
        bits.skip(1)
        usesSampleAdaptiveOffset = bits.flag()
        if bits.flag() {
            bits.skip(8)
            _ = bits.unsignedGolomb()
            _ = bits.unsignedGolomb()
            bits.skip(1)
        }
        guard let referenceSets = Self.referenceSets(&bits) else { return nil }
        self.referenceSets = referenceSets
        longTermCandidates =
            bits.flag()
            ? HEVCLongTermReference.candidates(&bits, orderBits: pictureOrderBits) : nil
        guard !bits.isOverrun, identifier < 16, chromaFormat <= 3, 1...65535 ~= width,
            1...65535 ~= height, lumaBitDepth <= 16, chromaBitDepth <= 16, pictureOrderBits <= 16,
            blocks.areLegal(width: width, height: height)
        else { return nil }
        treeBlock = 1 << blocks.tree
        // In units of chroma samples (7.4.3.2.1).
        let (shiftX, shiftY) = (chroma?.shiftX ?? 0, chroma?.shiftY ?? 0)
        size = PixelSize(
            width: width - ((window[0] + window[1]) << shiftX),
            height: height - ((window[2] + window[3]) << shiftY))
        guard size.width > 0, size.height > 0 else { return nil }
    }

    private struct Blocks {
        let coding: Int
        let tree: Int
        let transform: Int
        let largestTransform: Int
        let depths: [Int]

        init(_ bits: inout SyntaxBits) {
            coding = bits.unsignedGolomb() + 3
            tree = coding + bits.unsignedGolomb()
            transform = bits.unsignedGolomb() + 2
            largestTransform = transform + bits.unsignedGolomb()
            depths = [bits.unsignedGolomb(), bits.unsignedGolomb()]
        }

        /// Limits of H.265, 7.4.3.2.1; libde265 prints to the terminal when they are violated.
        func areLegal(width: Int, height: Int) -> Bool {
            4...6 ~= tree && coding <= tree && width % (1 << coding) == 0
                && height % (1 << coding) == 0 && transform < coding
                && largestTransform <= min(tree, 5) && depths.allSatisfy { $0 <= tree - transform }
        }
    }

    private static func referenceSets(_ bits: inout SyntaxBits) -> [HEVCReferenceSet]? {
        let count = bits.unsignedGolomb()
        guard count <= maximumReferenceSets else { return nil }
        var sets: [HEVCReferenceSet] = []
        for _ in 0..<count {
            guard let set = HEVCReferenceSet(&bits, after: sets, isInSlice: false) else {
                return nil
            }
            sets.append(set)
        }
        return sets
    }

    /// H.265, 7.4.3.2.1.
    private static let maximumReferenceSets = 64

    private static func skipProfile(_ bits: inout SyntaxBits, subLayers: Int) {
        bits.skip(96)
        var present: [(profile: Bool, level: Bool)] = []
        for _ in 0..<subLayers { present.append((bits.flag(), bits.flag())) }
        if subLayers > 0 { bits.skip(2 * (8 - subLayers)) }
        for layer in present {
            bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0))
        }
    }

    /// Skips scaling lists (H.265, 7.3.4).
    private static func skipScalingLists(_ bits: inout SyntaxBits) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                guard bits.flag() else {
                    _ = bits.unsignedGolomb()
                    continue
                }
                if size > 1 { _ = bits.unsignedGolomb() }
                // Signed Exp-Golomb numbers have the same length as unsigned ones.
                for _ in 0..<min(64, 1 << (4 + 2 * size)) { _ = bits.unsignedGolomb() }
            }
        }
    }
}
