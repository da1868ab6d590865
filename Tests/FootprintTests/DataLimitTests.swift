#if os(Linux)
    import AttachmentContainer
    import Foundation
    import Testing

    @testable import AttachmentModel

    @Suite("Limits on private writable memory")
    struct DataLimitTests {
        private let text = """
            55d0-55d1 r--p 00000000 08:01 1 /usr/bin/program
            Size:                 64 kB
            Anonymous:            12 kB
            Swap:                  4 kB
            55d1-55d2 rw-p 00010000 08:01 1 /usr/bin/program
            Size:                 32 kB
            Anonymous:             8 kB
            55d2-55d3 rw-p 00000000 00:00 0
            Size:                100 kB
            Anonymous:            20 kB
            55e0-55e1 rw-p 00000000 00:00 0 [heap]
            Size:                200 kB
            Anonymous:           150 kB
            Swap:                 10 kB
            7f00-7f01 rw-p 00000000 00:00 0
            Size:                256 kB
            Anonymous:            16 kB
            7f10-7f11 rw-s 00000000 00:01 2 /dev/shm/shared
            Size:               1024 kB
            Anonymous:             0 kB
            7ff0-7ff1 rw-p 00000000 00:00 0 [stack]
            Size:                132 kB
            Anonymous:            28 kB
            VmFlags: rd wr mr mw me gd ac
            """

        @Test("Mappings are classified by the limit that bounds them")
        func kinds() {
            let memory = MappedMemory(text: text)
            #expect(memory.data == (32 + 100 + 200 + 256) << 10)
            #expect(memory.touchedData == (8 + 20 + 160 + 16) << 10)
            #expect(memory.untouchedStatics == (24 + 80) << 10)
            #expect(memory.stack == 132 << 10 && memory.touchedStack == 28 << 10)
            #expect(memory.relocations == 16 << 10)
        }

        @Test("With every heap and stack page touched, the footprint equals the cap")
        func arithmetic() {
            let memory = MappedMemory(text: text)
            let cap = ByteCount.mebibytes(4)
            let limit = DataLimit(cap: cap, memory: memory, stack: 256 << 10)
            let touchedToTheLimit =
                limit.limit.bytes - memory.untouchedStatics + memory.relocations + 256 << 10
            #expect(touchedToTheLimit == cap.bytes)
            #expect(limit.room.bytes == limit.limit.bytes - memory.data)
            #expect(limit.untouched == ByteCount((50 - 10 + 240 + 228) << 10))
            #expect(DataLimit(cap: ByteCount(1), memory: memory, stack: 1).room == ByteCount(0))
        }

        @Test("Mappings of this process agree with its status")
        func thisProcess() throws {
            // Earlier tests still free memory between both readings at times.
            let slack = 8 << 20
            var differences = (data: Int.max, footprint: Int.max)
            for _ in 0..<20 where max(differences.data, differences.footprint) >= slack {
                let memory = try #require(MappedMemory(of: "self"))
                let status = try #require(ProcessStatus(of: "self"))
                let footprint = memory.touchedData + memory.touchedStack + memory.relocations
                differences = (
                    abs(memory.data - status.data.bytes),
                    abs(footprint - status.footprint.bytes)
                )
                if max(differences.data, differences.footprint) >= slack { usleep(50_000) }
            }
            #expect(differences.data < slack && differences.footprint < slack)
            #expect(MappedMemory(of: "nobody") == nil)
        }
    }
#endif
