#if os(Linux)
    /// A system call that stays allowed, and with which arguments.
    struct SystemCallRule {
        /// What is asked of an argument.
        enum Condition {
            /// Nothing.
            case none
            /// One of the values; of 32 bits, as the kernel takes it.
            case argument(Int, isOneOf: [CInt])
            /// Its bits within a mask are a value; of 32 bits, as the kernel takes it.
            case bits(Int, of: UInt32, are: UInt32)
        }

        /// The number of the call.
        let number: CInt
        /// What is asked of its arguments.
        let condition: Condition

        /// Allows a call.
        ///
        /// - Parameters:
        ///   - number: The number of the call.
        ///   - condition: What is asked of its arguments. The default is nothing.
        init(_ number: CInt, _ condition: Condition = .none) {
            self.number = number
            self.condition = condition
        }
    }
#endif
