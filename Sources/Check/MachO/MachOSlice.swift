/// A program for one processor.
struct MachOSlice {
    let sections: [Section]
    /// The code signature; nil without one.
    let signature: ByteReader?
    /// True if the code and its strings are encrypted, as by the App Store.
    let isEncrypted: Bool

    private let reader: ByteReader

    struct Section {
        let segment: String
        let name: String
        let offset: Int
        let size: Int
    }

    /// Maximum number of load commands; the largest apps have 1,000.
    private static let commandLimit = 10_000
    /// Maximum number of sections; a segment of an app has 30.
    private static let sectionLimit = 10_000

    init(_ reader: ByteReader, path: String) throws(AppError) {
        func malformed(_ reason: String) -> AppError {
            AppError(.malformedProgram, file: path, reason)
        }
        guard let magic = reader.uint32(at: 0) else { throw malformed("the program is cut off") }
        let isWide: Bool
        switch magic {
        case 0xFEED_FACE: isWide = false
        case 0xFEED_FACF: isWide = true
        case 0xCEFA_EDFE, 0xCFFA_EDFE:
            throw AppError(.unsupported, file: path, "the program is for a big-endian processor")
        default: throw malformed("it is not a program in Mach-O format")
        }
        let header = isWide ? 32 : 28
        guard let count = reader.uint32(at: 16), let size = reader.uint32(at: 20),
            count <= Self.commandLimit, let commands = reader.part(at: header, count: size)
        else { throw malformed("the program's load commands are cut off") }
        var sections: [Section] = []
        var signature: ByteReader?
        var isEncrypted = false
        var position = 0
        for _ in 0..<count {
            guard let kind = commands.uint32(at: position),
                let length = commands.uint32(at: position + 4), length >= 8,
                let command = commands.part(at: position, count: length)
            else { throw malformed("a load command is damaged") }
            position += length
            switch kind {
            case LoadCommand.segment, LoadCommand.wideSegment:
                guard
                    let found = Self.sections(of: command, isWide: kind == LoadCommand.wideSegment),
                    sections.count + found.count <= Self.sectionLimit
                else { throw malformed("a segment's sections are damaged") }
                sections += found
            case LoadCommand.codeSignature:
                guard let offset = command.uint32(at: 8), let size = command.uint32(at: 12),
                    let part = reader.part(at: offset, count: size)
                else { throw AppError(.malformedSignature, file: path, "the signature is cut off") }
                signature = part
            case LoadCommand.encryption, LoadCommand.wideEncryption:
                isEncrypted = command.uint32(at: 16) != 0
            default: break
            }
        }
        self.reader = reader
        self.sections = sections
        self.signature = signature
        self.isEncrypted = isEncrypted
    }

    private enum LoadCommand {
        static let segment = 0x1
        static let wideSegment = 0x19
        static let codeSignature = 0x1D
        static let encryption = 0x21
        static let wideEncryption = 0x2C
    }

    /// The sections of a segment command; nil if they exceed it.
    private static func sections(of command: ByteReader, isWide: Bool) -> [Section]? {
        // segment_command_64 and section_64, or segment_command and section.
        let (start, length) = isWide ? (72, 80) : (56, 68)
        guard let count = command.uint32(at: start - 8), count <= (command.count - start) / length
        else { return nil }
        var sections: [Section] = []
        for index in 0..<count {
            let place = start + index * length
            guard let name = command.name(at: place, count: 16),
                let segment = command.name(at: place + 16, count: 16),
                let size = isWide
                    ? command.uint64(at: place + 40) : command.uint32(at: place + 36),
                let offset = command.uint32(at: place + (isWide ? 48 : 40))
            else { return nil }
            sections.append(Section(segment: segment, name: name, offset: offset, size: size))
        }
        return sections
    }

    /// The bytes of a section; nil if it is missing or incomplete.
    func contents(ofSection name: String) -> ArraySlice<UInt8>? {
        sections.first { $0.segment == "__TEXT" && $0.name == name }
            .flatMap { reader.bytes(at: $0.offset, count: $0.size) }
    }
}
