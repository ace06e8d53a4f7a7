/// The segments `.` and `..`, which a URL's normalization removes together with others (RFC 3986 §5.2.4).
public enum DotSegments {
    /// Whether a decoded path has one; some servers take a backslash for a slash.
    public static func arePresent(in path: String) -> Bool {
        /// The number of dots in the current segment; nil if it has other characters.
        var dots: Int? = 0
        for byte in path.utf8 {
            switch Unicode.Scalar(byte) {
            case "/", "\\":
                if dots == 1 || dots == 2 { return true }
                dots = 0
            case ".": dots = dots.map { $0 + 1 }
            default: dots = nil
            }
        }
        return dots == 1 || dots == 2
    }
}
