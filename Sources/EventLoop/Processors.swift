import CSystem

/// The processors this process may use.
public enum Processors {
    /// How many there are: those it is allowed on, or fewer where the container's quota (cgroup v2) grants fewer.
    public static var available: Int {
        let allowed = max(1, Int(weir_affinity_count()))
        guard let text = try? FileContents.read(path: "/sys/fs/cgroup/cpu.max", limit: 256) else { return allowed }
        return min(allowed, quota(inCPUMax: String(decoding: text, as: UTF8.self)) ?? allowed)
    }

    /// The whole processors that a `cpu.max` line grants, at least 1; nil when it grants all.
    static func quota(inCPUMax text: String) -> Int? {
        let parts = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0 else { return nil }
        return max(1, (quota - 1) / period + 1)
    }
}
