#if canImport(Darwin)
    internal import AttachmentContainer
    internal import Darwin

    /// Memory of this process (`TASK_VM_INFO` of task_info).
    struct TaskMemory {
        let footprint: ByteCount

        static func current() -> TaskMemory? {
            var info = task_vm_info_data_t()
            var count = mach_msg_type_number_t(
                MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
            // The kernel fills at most `count` words, which is what the structure has.
            let result = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
                }
            }
            guard result == KERN_SUCCESS else { return nil }
            return TaskMemory(footprint: ByteCount(Int(info.phys_footprint)))
        }
    }
#endif
