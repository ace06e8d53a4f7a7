import CSystem

/// What the process does with memory that it no longer needs.
public enum FreedMemory {
    /// Keeps some megabytes of it for the next request.
    ///
    /// Else the allocator gives the memory of each answer back to the kernel, which has to clear it for the next one: five
    /// page faults a request.
    public static func keep() { weir_keep_freed_memory(16 << 20, 1 << 20) }
}
