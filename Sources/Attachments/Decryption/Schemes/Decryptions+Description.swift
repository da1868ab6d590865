// Descriptions and dumps of values with keys have none of their values.

extension CounterDecryption: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The scheme, without keys.
    public var description: String { "AES-CTR with SHA-256" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows a key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ChainedDecryption: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The scheme, without keys.
    public var description: String { "AES-CBC with HMAC-SHA-256" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows a key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension GaloisDecryption: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The scheme, without keys.
    public var description: String { "AES-GCM" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows a key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DecryptedFile: CustomReflectable {
    /// No children, so that no dump shows a key.
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension SealingFile: CustomReflectable {
    /// No children, so that no dump shows a key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
