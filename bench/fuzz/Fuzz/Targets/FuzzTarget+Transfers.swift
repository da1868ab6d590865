import AttachmentContainer
import AttachmentModel
import CCurl
import Foundation
import TransferProtocol
import WorkerProtocol

@testable import AttachmentFetch

extension FuzzTarget {
    /// Readers of what strangers, servers and the transfer process send.
    static let transfers = [
        FuzzTarget("url", seeds: { urls.map { Array($0.utf8) } }, read: readURLs),
        FuzzTarget("response-head", seeds: { heads.map { Array($0.utf8) } }, read: readHead),
        FuzzTarget("cached-response", seeds: cachedResponses, read: readCachedResponse),
        FuzzTarget("fetch-headers", seeds: { headerFiles.map { Array($0.utf8) } }) { input in
            input.withFile { file in
                guard let headers = try? FetchHeaders(file: "/proc/self/fd/\(file.descriptor)"),
                    let location = try? RemoteLocation("https://a.example/")
                else { return }
                precondition(
                    headers.headers(for: location).allSatisfy {
                        !$0.key.utf8.contains(10) && !$0.value.utf8.contains(10)
                    })
            }
        },
        FuzzTarget("addresses", seeds: { ranges.map { Array($0.utf8) } }, read: readAddresses),
        FuzzTarget("transfer-protocol", seeds: transferMessages, read: readTransferMessages),
    ]

    /// A URL, and on the next line a reference of a redirection.
    ///
    /// Whatever is accepted has one spelling, and libcurl finds the same server in it.
    private static func readURLs(_ input: FuzzInput) {
        let lines = input.bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
        guard let location = try? RemoteLocation(String(decoding: lines[0], as: UTF8.self)) else {
            return
        }
        check(location)
        guard lines.count == 2 else { return }
        let reference = String(decoding: lines[1], as: UTF8.self)
        if let next = try? location.resolving(reference) { check(next) }
    }

    private static func check(_ location: RemoteLocation) {
        precondition((try? RemoteLocation(location.text)) == location)
        precondition(location.text.utf8.allSatisfy { 0x21...0x7E ~= $0 })
        guard let url = curl_url() else { return }
        defer { curl_url_cleanup(url) }
        let flags = UInt32(CURLU_DISALLOW_USER) | UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard curl_url_set(url, CURLUPART_URL, location.text, flags) == CURLUE_OK else { return }
        let part = { (part: CURLUPart) -> String? in
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK,
                let text
            else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        precondition(part(CURLUPART_SCHEME) == location.scheme.rawValue)
        precondition(part(CURLUPART_PORT) == "\(location.port)")
        precondition(part(CURLUPART_USER) == nil && part(CURLUPART_FRAGMENT) == nil)
        // libcurl writes other spellings of IPv4 addresses in decimal.
        let isNumber = location.host.split(separator: ".").last?.first?.isNumber == true
        precondition(isNumber || part(CURLUPART_HOST) == location.host)
    }

    private static let urls = [
        "https://media.example.com/a/photo.heic?x=1#top\n../b.jpg",
        "http://[::1]:8080/\n//b.example",
        "https://0x7f.1:443\n?c", "https://a.example/\nhttps://b.example:8443/",
        "https://a_b.example./%41 \u{E4}\"\n/d",
    ]

    /// Lines of a response, whose freshness is then determined.
    private static func readHead(_ input: FuzzInput) {
        let names = ["age", "cache-control", "date", "etag", "expires", "last-modified", "vary"]
        var head = ResponseHead()
        var isShort = true
        for line in input.bytes.split(separator: 10, omittingEmptySubsequences: false) {
            isShort = line.withUnsafeBytes { head.add($0, reporting: names) }
            guard isShort else { break }
        }
        precondition(isShort || input.bytes.count > 60 << 10)
        precondition(head.reported.values.allSatisfy { $0.utf8.count <= 4096 })
        let freshness = Freshness(
            head.reported, received: Date(timeIntervalSince1970: 1_795_521_600), delay: 1,
            unstated: 60)
        precondition(0...CacheControl.longestAge ~= freshness.lifetime)
        precondition(0...CacheControl.longestAge ~= freshness.initialAge)
        _ = freshness.isFresh(at: Date())
    }

    private static let heads = [
        """
        HTTP/1.1 103 Early Hints\r
        Link: </a>\r
        \r
        HTTP/1.1 200 OK\r
        Content-Length: 10\r
        Content-Encoding: gzip\r
        Cache-Control: max-age="60", private="a, b", no-cache\r
        Cache-Control: no-store\r
        Age: 5\r
        Date: Tue, 24 Nov 2026 12:00:00 GMT\r
        Expires: Tue, 24 Nov 2026 13:00:00 GMT\r
        Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r
        ETag: W/"x"\r
        Vary: *\r
        \r

        """, "HTTP/1.1 302 Found\nExpires: 0\nDate: Tue, 24 Nov 2026 12:00:00 GMT\nAge: -1e308\n\n",
    ]

    /// A description in the cache, which may be damaged.
    private static func readCachedResponse(_ input: FuzzInput) {
        guard let response = CachedResponse.decode(Data(input.bytes)) else { return }
        precondition(response.conditions.values.allSatisfy { FetchHeaders.isFieldValue($0) })
        _ = response.freshness.isFresh(at: Date())
        precondition(response.encoded().flatMap { CachedResponse.decode($0) } != nil)
    }

    private static func cachedResponses() -> [[UInt8]] {
        guard let source = try? RemoteLocation("https://a.example/") else { return [] }
        let headers = [
            "content-type": "image/jpeg", "etag": "\"a\"", "cache-control": "max-age=1",
            "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        let response = CachedResponse(
            source: source, body: ContentDigest(of: "a"), bytes: ByteCount(1), headers: headers,
            freshness: Freshness(headers, received: Date(), delay: 1, unstated: 60))
        return [response.encoded().map { [UInt8]($0) } ?? []]
    }

    private static let headerFiles = [
        #"{"a.example":{"Authorization":"Bearer x","X-Y":"1\t2"},"b.example:8443":{}}"#
    ]

    /// Ranges and addresses, one a line; the bytes also as an address.
    private static func readAddresses(_ input: FuzzInput) {
        for line in input.bytes.split(separator: 10) {
            let text = String(decoding: line, as: UTF8.self)
            if let range = AddressRange(text) {
                precondition(AddressRange(range.description) == range)
            }
            if let address = NetworkAddress(text) { check(address, in: AddressRange(text)) }
        }
        for count in [4, 16] {
            if let address = NetworkAddress(bytes: Array(input.bytes.prefix(count))) {
                check(address, in: AddressRange(address.description))
            }
        }
    }

    private static func check(_ address: NetworkAddress, in range: AddressRange?) {
        precondition(NetworkAddress(address.description) == address)
        precondition(range?.contains(address) == true)
        let isAllowed = AddressGuard().verdict(on: address, port: 443) == .allowed
        precondition(isAllowed == (AddressKind(address) == .global))
        guard address.isIPv4, let zeros = Optional(Array(repeating: UInt8(0), count: 10)) else {
            return
        }
        // No other spelling of an IPv4 address is allowed.
        let mapped = NetworkAddress(bytes: zeros + [255, 255] + address.bytes)
        precondition(mapped.map { AddressGuard().verdict(on: $0, port: 443) } != .allowed)
    }

    private static let ranges = [
        "10.0.0.0/8\n127.0.0.1\nfd00::/8\n::ffff:10.0.0.1\n64:ff9b::/96",
        "fe80::1%eth0\n0x7f.1\n::/0",
    ]

    private static func readTransferMessages(_ input: FuzzInput) {
        let middle = input.bytes.count / 2
        var orders = FrameBuffer()
        for part in [input.bytes[..<middle], input.bytes[middle...]] {
            orders.append(part)
            while let order = try? orders.next(TransferOrder.self) {
                precondition(0...2 ~= order.descriptorCount)
            }
        }
        var replies = FrameBuffer()
        replies.append(input.bytes)
        while (try? replies.next(TransferReply.self)) != nil {}
    }

    private static func transferMessages() -> [[UInt8]] {
        var request = TransferRequest(url: "https://a.example/", maximumBytes: 9)
        request.headers = [.init("Accept", "*/*")]
        request.signature = .init(scope: "aws:amz:r:s3", key: "k", secret: "s")
        request.bodyLength = 1
        let orders: [TransferOrder] = [
            .configuration(
                TransferConfiguration(
                    addresses: AddressGuard(
                        networks: [AddressRange("10.0.0.0/8")].compactMap(\.self)),
                    ports: [443], authorities: "/a", sandbox: .automatic,
                    limits: ResourceLimits())),
            .begin(request), .cancel(1),
        ]
        let replies: [TransferReply] = [
            .unable(.unable("no", remedy: "none")),
            .ended(1, .response(TransferResponse(status: 200, headers: ["etag": "a"], bytes: 1))),
            .ended(2, .failure(TransferFailure(.late, "late"))),
        ]
        return orders.compactMap { (try? Frame.encode($0)).map { [UInt8]($0) } }
            + replies.compactMap { (try? Frame.encode($0)).map { [UInt8]($0) } }
    }
}
