import AttachmentContainer
import AttachmentModel
import Foundation
import Testing
import WorkerProtocol

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Encoding stills in workers")
    struct StillEncodingTests {
        private static func order(_ bytes: Int, _ side: Int = 180, full: Bool = false) -> StillOrder
        {
            var order = StillOrder(bytes: bytes)
            order.side = side
            order.keepsFullChroma = full
            return order
        }

        private static func request(_ name: String) -> AttachmentRequest {
            AttachmentRequest(path: PoolFixture.sample(name), identifier: "")
        }

        @Test(
            "A still fits its side and its bytes, and uses most of them",
            arguments: [
                ("lake-baseline.jpg", 2400), ("still-life.png", 1200), ("thimble-alpha.png", 2400),
                ("dunes-grey.jpg", 600), ("peak-orientation-6.jpg", 1800),
                ("gerbera-display-p3.jpg", 2400),
            ])
        func fits(name: String, bytes: Int) async throws {
            try await PoolFixture.with { fixture in
                // The cap of a service extension suffices.
                try await fixture.withPool(cap: .serviceExtension) { pool in
                    for full in [false, true] {
                        let still = try await pool.encodeStill(
                            Self.request(name), Self.order(bytes, full: full))
                        #expect(max(still.size.width, still.size.height) == 180)
                        #expect(still.temporalUnit.count <= bytes + 17)
                        #expect(still.temporalUnit.count > bytes / 2, "\(still)")
                        #expect(1...9 ~= still.encodes)
                        // Delimiter, then a sequence header of profile 0 or 1.
                        #expect(still.temporalUnit.prefix(3) == Data([0x12, 0, 0x0A]))
                        #expect(still.temporalUnit[4] >> 5 == (full ? 1 : 0))
                    }
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test("An upright picture stays upright, and a small one is not enlarged")
        func size() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let turned = try await pool.encodeStill(
                        Self.request("peak-orientation-6.jpg"), Self.order(1000, 64))
                    let inspected = try await pool.inspect(
                        PoolFixture.sample("peak-orientation-6.jpg"))
                    guard case .picture(let summary) = inspected.content else {
                        Issue.record("no picture")
                        return
                    }
                    #expect(
                        (turned.size.width < turned.size.height)
                            == (summary.storedSize.width > summary.storedSize.height))
                    let whole = try await pool.encodeStill(
                        Self.request("thimble-alpha.png"), Self.order(5000, 256))
                    #expect(max(whole.size.width, whole.size.height) <= 256)
                }
            }
        }

        @Test("A picture of Display P3 becomes sRGB, also where renditions keep its colours")
        func wideGamut() async throws {
            try await PoolFixture.with { fixture in
                var stills: [EncodedStill] = []
                for colourSpace in ProcessingSettings.ColourSpace.allCases {
                    try await fixture.withPool(colourSpace: colourSpace) { pool in
                        stills.append(
                            try await pool.encodeStill(
                                Self.request("gerbera-display-p3.jpg"), Self.order(1000)))
                    }
                }
                #expect(stills.count == 2 && stills[0] == stills[1])
            }
        }

        @Test("The same order gives the same bytes")
        func determinism() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let one = try await pool.encodeStill(
                        Self.request("lake-baseline.jpg"), Self.order(1000))
                    let other = try await pool.encodeStill(
                        Self.request("lake-baseline.jpg"), Self.order(1000))
                    #expect(one == other)
                }
            }
        }

        @Test(
            "Orders that cannot be met have typed errors, and lose no worker",
            arguments: [
                ("lake-baseline.jpg", 100, 180, AttachmentError.Code.doesNotFit),
                ("chime.wav", 2400, 180, .unsupported), ("README.md", 2400, 180, .unsupported),
                ("nowhere.jpg", 2400, 180, .unreadable),
                ("lake-baseline.jpg", 2400, 300, .unsupported),
                ("lake-baseline.jpg", 20, 180, .unsupported),
            ])
        func refusals(name: String, bytes: Int, side: Int, code: AttachmentError.Code) async throws
        {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let error = await #expect(throws: AttachmentError.self) {
                        try await pool.encodeStill(Self.request(name), Self.order(bytes, side))
                    }
                    #expect(error?.code == code, "\(String(describing: error))")
                    #expect(error?.remedy.isEmpty == false)
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test("Under a cap without room for the encoder, the refusal says so")
        func overCap() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(cap: MemoryCap(.mebibytes(8))) { pool in
                    let error = await #expect(throws: AttachmentError.self) {
                        try await pool.encodeStill(
                            Self.request("lake-baseline.jpg"), Self.order(2400, 256))
                    }
                    #expect(error?.code == .overCap, "\(String(describing: error))")
                    #expect(pool.statistics.lost == 0)
                }
            }
        }
    }
}
