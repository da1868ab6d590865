#if os(Linux)
    struct SystemCallRule {
        enum Condition {
            case none
            /// The argument equals one of the values; 32 bits, as the kernel reads it.
            case argument(Int, isOneOf: [CInt])
            /// The argument's masked bits equal a value; 32 bits, as the kernel reads it.
            case bits(Int, of: UInt32, are: UInt32)
        }

        let number: CInt
        let condition: Condition

        init(_ number: CInt, _ condition: Condition = .none) {
            self.number = number
            self.condition = condition
        }
    }
#endif
