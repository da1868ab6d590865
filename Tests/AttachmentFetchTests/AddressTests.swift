import Testing

@testable import TransferProtocol

@Suite("Addresses")
struct AddressTests {
    /// Addresses at the edges of the special ranges.
    private static let kinds: KeyValuePairs<String, AddressKind> = [
        "1.1.1.1": .global, "9.255.255.255": .global, "11.0.0.0": .global,
        "0.0.0.0": .unspecified, "0.1.2.3": .reserved,
        "10.0.0.0": .privateUse, "10.255.255.255": .privateUse,
        "100.63.255.255": .global, "100.64.0.0": .shared, "100.127.255.255": .shared,
        "100.128.0.0": .global, "100.100.100.200": .metadata,
        "127.0.0.1": .loopback, "127.255.255.255": .loopback, "126.255.255.255": .global,
        "128.0.0.0": .global,
        "169.253.255.255": .global, "169.254.0.0": .linkLocal, "169.254.169.254": .metadata,
        "169.254.255.255": .linkLocal, "169.255.0.0": .global, "168.63.129.16": .metadata,
        "172.15.255.255": .global, "172.16.0.0": .privateUse, "172.31.255.255": .privateUse,
        "172.32.0.0": .global, "192.168.0.0": .privateUse, "192.168.255.255": .privateUse,
        "192.169.0.0": .global, "192.0.0.8": .reserved, "192.0.0.192": .metadata,
        "192.0.2.1": .documentation, "198.51.100.1": .documentation,
        "203.0.113.255": .documentation, "192.88.99.1": .translated,
        "198.17.255.255": .global, "198.18.0.0": .benchmarking, "198.19.255.255": .benchmarking,
        "223.255.255.255": .global, "224.0.0.0": .multicast, "239.255.255.255": .multicast,
        "240.0.0.0": .reserved, "255.255.255.255": .broadcast,
        "::": .unspecified, "::1": .loopback, "::2": .translated, "::7f00:1": .translated,
        "::ffff:127.0.0.1": .translated, "::ffff:1.1.1.1": .translated,
        "::ffff:0:1.1.1.1": .translated, "64:ff9b::1.1.1.1": .translated,
        "64:ff9b:1::1": .translated, "100::1": .reserved, "1fff::1": .reserved,
        "2001::1": .translated, "2001:1::1": .reserved, "2001:2::1": .benchmarking,
        "2001:1ff::1": .reserved, "2001:200::1": .global, "2001:db8::1": .documentation,
        "2002:7f00:1::1": .translated, "2606:4700::1111": .global, "2620:4f:8000::1": .reserved,
        "3ffe::1": .global, "3fff::1": .documentation, "3fff:1000::1": .global,
        "4000::1": .reserved, "5f00::1": .reserved, "fc00::1": .uniqueLocal,
        "fd00:ec2::254": .metadata, "fd00:ec2::23": .metadata, "fd00:ec2::253": .uniqueLocal,
        "169.254.170.23": .metadata, "169.254.170.24": .linkLocal, "fd20:ce::254": .metadata,
        "fe80::1": .linkLocal, "febf::1": .linkLocal, "fec0::1": .reserved, "ff02::1": .multicast,
    ]

    @Test("Every special range is recognised up to its edges")
    func classification() throws {
        for (text, kind) in Self.kinds {
            let address = try #require(NetworkAddress(text))
            #expect(AddressKind(address) == kind, "\(text)")
        }
    }

    @Test("Only public addresses on the named ports are allowed")
    func verdicts() throws {
        let guarded = AddressGuard()
        for (text, kind) in Self.kinds {
            let address = try #require(NetworkAddress(text))
            let expected: AddressGuard.Verdict =
                kind == .global ? .allowed : .refusedAddress(kind)
            #expect(guarded.verdict(on: address, port: 443) == expected, "\(text)")
            #expect(guarded.verdict(on: address, port: 80) == .refusedPort)
        }
    }

    @Test("A trusted host may be in the local network, but no metadata service")
    func trust() throws {
        let guarded = AddressGuard()
        for (text, isAllowed) in [
            ("127.0.0.1", true), ("10.1.2.3", true), ("100.64.0.1", true), ("fd00::1", true),
            ("169.254.169.254", false), ("169.254.1.1", false), ("fe80::1", false),
            ("fd00:ec2::254", false), ("fd00:ec2::23", false), ("224.0.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("100.100.100.200", false), ("0.0.0.0", false),
        ] {
            let address = try #require(NetworkAddress(text))
            let verdict = guarded.verdict(on: address, port: 443, trustsHost: true)
            #expect((verdict == .allowed) == isAllowed, "\(text)")
        }
    }

    @Test("A named range is allowed whatever its kind, and nothing beside it")
    func networks() throws {
        let range = try #require(AddressRange("10.20.0.0/14"))
        let guarded = AddressGuard(networks: [range])
        for (text, isAllowed) in [
            ("10.19.255.255", false), ("10.20.0.0", true), ("10.23.255.255", true),
            ("10.24.0.0", false), ("::ffff:10.20.0.1", false),
        ] {
            let address = try #require(NetworkAddress(text))
            #expect((guarded.verdict(on: address, port: 443) == .allowed) == isAllowed, "\(text)")
        }
    }

    @Test(
        "Ranges that are no CIDR notation are refused",
        arguments: [
            "", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/-1", "10.0.0.0/+8",
            "10.0.0.0/8/8", "10.0.0/8", "010.0.0.0/8", "2130706433", "::/129", "::1/64",
            "fe80::1%eth0", "host", "10.0.0.0/８",
        ])
    func malformed(_ text: String) { #expect(AddressRange(text) == nil) }

    /// Not arguments, which reports would show.
    @Test("An address that ends early in C is refused")
    func nulls() {
        for text in ["10.0.0.1\u{0}", "10.0.0.1\u{0}x", "::1\u{0}/128"] {
            #expect(NetworkAddress(text) == nil && AddressRange(text) == nil)
        }
    }

    @Test(
        "Ranges keep their canonical text",
        arguments: [
            ("0.0.0.0/0", "0.0.0.0/0"), ("10.0.0.0/8", "10.0.0.0/8"), ("1.2.3.4", "1.2.3.4/32"),
            ("FD00::/8", "fd00::/8"), ("::1", "::1/128"),
        ])
    func canonical(_ text: String, _ canonical: String) {
        #expect(AddressRange(text)?.description == canonical)
    }
}
