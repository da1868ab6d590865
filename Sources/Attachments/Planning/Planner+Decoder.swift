import AttachmentContainer
package import AttachmentModel

extension Planner {
    /// Selects a bounded decoder if one exists and the library would hold the whole picture.
    func decoder(of header: AttachmentHeader) -> Plan.Decoder {
        boundedDecoder(of: header) == .none ? .library : .bounded
    }

    func needsScratch(_ header: AttachmentHeader) -> Bool {
        boundedDecoder(of: header) == .frames
    }

    func boundedDecoder(of header: AttachmentHeader) -> BoundedDecoderKind {
        guard settings.decoder == .automatic, decoders.hasBoundedDecoder(for: header.coding) else {
            return .none
        }
        let kind = header.coding.boundedDecoder(for: header)
        return kind == .frames && !hasScratch ? .none : kind
    }

    /// True if any decoder for the picture is built.
    package func canDecode(_ header: AttachmentHeader) -> Bool {
        decoders.canDecode(header.coding)
    }

    var hasScratch: Bool { settings.maximumScratchBytes.bytes > 0 }
}
