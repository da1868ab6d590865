import AttachmentContainer
import Foundation
import Testing

@testable import AttachmentFetch

@Suite("URLs")
struct RemoteLocationTests {
    @Test(
        "URLs are read in one spelling",
        arguments: [
            ("https://Example.COM", "https://example.com/"),
            ("HTTPS://example.com.:443/a?b#c", "https://example.com/a?b"),
            ("https://example.com:8443/a", "https://example.com:8443/a"),
            ("https://example.com:/a", "https://example.com/a"),
            ("http://example.com:80/", "http://example.com/"),
            ("https://example.com?x=1", "https://example.com/?x=1"),
            ("https://example.com/ä b\"", "https://example.com/%C3%A4%20b%22"),
            ("https://example.com/%41%zz", "https://example.com/%41%zz"),
            ("https://[2606:4700::1111]:444/", "https://[2606:4700::1111]:444/"),
            ("https://[0:0::1]/", "https://[::1]/"), ("https://0x7f.1/", "https://0x7f.1/"),
            ("https://a_b.example/", "https://a_b.example/"),
            // The ASCII forms come from Python's idna codec and from libidn2.
            ("https://BÜCHER.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
            ("https://bu\u{308}cher.example/", "https://xn--bcher-kva.example/"),
            ("https://例え。テスト:8443/", "https://xn--r8jz45g.xn--zckzah:8443/"),
            ("https://пример.испытание./", "https://xn--e1afmkfd.xn--80akhbyknj4f/"),
            ("https://مثال.إختبار/", "https://xn--mgbh0fb.xn--kgbechtv/"),
            ("https://faß.de/", "https://xn--fa-hia.de/"), ("https://ＡＢ.com/", "https://ab.com/"),
            ("https://i❤.ws/", "https://xn--i-7iq.ws/"),
        ])
    func spelling(_ text: String, _ expected: String) throws {
        #expect(try RemoteLocation(text).text == expected)
    }

    @Test(
        "URLs that parsers read differently are refused",
        arguments: [
            "", "example.com", "//example.com", "https:example.com", "https:///a", "https://",
            "https://user@example.com/", "https://user:word@example.com/", "https://@example.com",
            "https://example.com@evil.example/", "https://exa mple.com/",
            "https://exa\u{200B}mple.com/",
            "https://ex\u{FF0F}ample.com/", "https://ä@example.com/", "https://xn--ä.com/",
            "https://\u{301}ä.com/", "https://ä%2f.com/", "https://ä..com/",
            "https://" + String(repeating: "ä", count: 64) + ".com/",
            "https://example.com\\@evil.example/", "https://example.com%2f@evil.example/",
            "https://%65xample.com/", "https://example.com:99999/", "https://example.com:0/",
            "https://example.com:+443/", "https://[::1", "https://[::1]x/", "https://[::1%25eth0]/",
            "https://[127.0.0.1]/", "https://.example.com/", "https://a..b/",
            "https://a../",
            "https://-\u{200D}.com/",
            "https://example.com/\r\nHost: evil", "https://example.com/\u{7F}",
            "https://example.com/a\\b", "https://" + String(repeating: "a", count: 254) + "/",
            "https://example.com/" + String(repeating: "a", count: 9000),
        ])
    func refused(_ text: String) {
        let error = #expect(throws: FetchError.self) { try RemoteLocation(text) }
        #expect(error?.code == .invalidURL)
    }

    /// Not arguments, which reports would show.
    @Test("An address that ends early in C is refused")
    func nulls() {
        for text in ["https://[::1\u{0}]/", "https://[::1\u{0}.example.com]/"] {
            let error = #expect(throws: FetchError.self) { try RemoteLocation(text) }
            #expect(error?.code == .invalidURL)
        }
    }

    @Test("Other schemes are refused", arguments: ["ftp", "file", "gopher", "javascript", "data"])
    func schemes(_ scheme: String) {
        let error = #expect(throws: FetchError.self) {
            try RemoteLocation("\(scheme)://example.com/")
        }
        #expect(error?.code == .refusedScheme)
    }

    @Test(
        "References are resolved as in RFC 3986",
        arguments: [
            ("b", "https://example.com/x/b"), ("/b?c", "https://example.com/b?c"),
            ("?d", "https://example.com/x/y?d"), ("#e", "https://example.com/x/y?q"),
            ("//other.example/f", "https://other.example/f"),
            ("http://other.example", "http://other.example/"), ("", "https://example.com/x/y?q"),
            ("../g", "https://example.com/x/../g"),
            ("h?i=https://j", "https://example.com/x/h?i=https://j"),
        ])
    func resolving(_ reference: String, _ expected: String) throws {
        let base = try RemoteLocation("https://example.com/x/y?q")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test("The environment's proxy is found as curl finds it")
    func proxies() throws {
        let variables = [
            "https_proxy": "http://proxy.example:3128", "HTTP_PROXY": "http://evil.example",
            "no_proxy": "example.org, .internal.example",
        ]
        let proxies = ProxyEnvironment.current { variables[$0] }
        let proxy = { (url: String) in proxies.proxy(for: try RemoteLocation(url)) }
        #expect(try proxy("https://example.com/") == "http://proxy.example:3128")
        #expect(try proxy("http://example.com/") == nil)
        #expect(try proxy("https://example.org/") == nil)
        #expect(try proxy("https://a.internal.example/") == nil)
        #expect(try proxy("https://notexample.org/") != nil)
        #expect(proxies.ports == [3128])
        #expect(ProxyEnvironment.none.proxy(for: try RemoteLocation("https://a.example/")) == nil)
    }

    @Test("A file of headers that others may read is refused, and its values are never shown")
    func headers() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let write = { (text: String, mode: Int) in
            try? FileManager.default.removeItem(at: file)
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file.path)
        }
        let valid = #"{"a.example":{"Authorization":"secret"}}"#
        try write(valid, 0o600)
        let headers = try FetchHeaders(file: file.path)
        #expect(
            headers.headers(for: try RemoteLocation("https://a.example/x"))["Authorization"]
                == "secret")
        for url in ["https://b.example/", "https://a.example:444/", "https://x.a.example/"] {
            #expect(headers.headers(for: try RemoteLocation(url)).isEmpty)
        }
        #expect(!"\(headers)".contains("secret"))
        for (text, mode) in [
            (valid, 0o640), (valid, 0o604), ("{", 0o600), (#"{"a.example":{"Host":"b"}}"#, 0o600),
            (#"{"a.example":{"X":"1\r\nY: 2"}}"#, 0o600), (#"{"a b":{"X":"1"}}"#, 0o600),
        ] {
            try write(text, mode)
            #expect(throws: SettingsError.self) { try FetchHeaders(file: file.path) }
        }
    }

    @Test("Settings outside their range are named")
    func settings() {
        let changes: [(String, (inout FetchSettings) -> Void)] = [
            ("maximumBytes", { $0.maximumBytes = ByteCount(0) }),
            ("timeout", { $0.timeout = .zero }),
            ("stallTime", { $0.stallTime = .milliseconds(1500) }),
            ("maximumRedirects", { $0.maximumRedirects = 21 }),
            ("maximumTransfers", { $0.maximumTransfers = 0 }),
            ("allowedHosts", { $0.allowedHosts = ["https://a"] }),
            ("allowedPorts", { $0.allowedPorts = [0] }),
        ]
        for (field, change) in changes {
            var settings = FetchSettings()
            change(&settings)
            let error = #expect(throws: SettingsError.self) { try settings.validate() }
            #expect(error?.field == field)
        }
    }
}
