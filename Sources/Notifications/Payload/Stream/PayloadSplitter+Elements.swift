/// Arrays of payloads, such as the batches of push providers.
extension PayloadSplitter {
    /// Returns the pieces of a complete document: the document itself, or the elements of an array.
    ///
    /// Elements that are not objects are refused. Brackets, commas and white space are verbatim.
    ///
    /// - Throws: `PayloadError` for a document that is neither an object nor an array with an object.
    static func pieces(of document: JSONDocument, line: Int) throws(PayloadError) -> [Piece] {
        guard document.isBatch, let elements = document.elements(0) else {
            return [.document(try APNsPayload.object(document), line: line)]
        }
        var pieces: [Piece] = []
        var (end, line) = (0, line)
        let pass = { (range: Range<Int>) in
            pieces.append(.verbatim(Array(document.bytes[range])))
            line += document.lineFeeds(in: range)
        }
        for (number, element) in elements.enumerated() {
            let range = document.nodes[element].range
            pass(end..<range.lowerBound)
            pieces.append(document.piece(range, number: number, line: line))
            line += document.lineFeeds(in: range)
            end = range.upperBound
        }
        pass(end..<document.bytes.count)
        return pieces
    }
}

extension JSONDocument {
    /// True for an array with an object, which is a batch of payloads.
    public var isBatch: Bool { elements(0)?.contains(where: isObject) ?? false }

    fileprivate func isObject(_ node: Int) -> Bool {
        bytes[Int(nodes[node].start)] == UInt8(ascii: "{")
    }

    fileprivate func lineFeeds(in range: Range<Int>) -> Int {
        bytes[range].count { $0 == UInt8(ascii: "\n") }
    }

    fileprivate func piece(_ range: Range<Int>, number: Int, line: Int) -> PayloadSplitter.Piece {
        let part = Array(bytes[range])
        do throws(PayloadError) {
            let element = try JSONDocument(parsing: part, limits: limits)
            return .document(try APNsPayload.object(element), line: line)
        } catch {
            // Parts of a valid document are valid.
            return .refused(
                part,
                PayloadError(
                    .wrongShape, line: line, reason: "element \(number) is not an object"))
        }
    }
}
