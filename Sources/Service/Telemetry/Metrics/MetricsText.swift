import JSONText

/// Writes metrics in the text format of Prometheus, version 0.0.4.
///
/// The families come one after another, each with its help, its type and all of its samples.
public struct MetricsText: ~Copyable {
    /// The media type of the text.
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The type of a family.
    public enum Kind: String, Sendable {
        /// A number that only grows.
        case counter
        /// A number that rises and falls.
        case gauge
        /// Counts by upper bounds.
        case histogram
        /// Quantiles with a count and a sum.
        case summary
    }

    private var writer = JSONWriter(capacity: 16 << 10)
    private var family = ""

    /// A text without metrics.
    public init() {}

    /// The text.
    public var bytes: [UInt8] { writer.bytes }

    /// Starts the family `name`; `help` is one line without backslashes.
    public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        write("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// Writes a sample of the current family; `suffix` is such as `_bucket`.
    public mutating func sample(
        _ value: Double, _ labels: KeyValuePairs<String, String> = [:], suffix: String = ""
    ) {
        write(family)
        write(suffix)
        var separator = "{"
        // A label without a value is the same as none.
        for (name, value) in labels where !value.isEmpty {
            write("\(separator)\(name)=\"")
            write(escaped: value)
            writer.write(byte: UInt8(ascii: "\""))
            separator = ","
        }
        if separator == "," { write("}") }
        write(" ")
        if value.isFinite { writer.write(value) } else { write(value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf") }
        write("\n")
    }

    /// Writes a family with one sample.
    public mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(value)
    }

    private mutating func write(_ text: String) { for byte in text.utf8 { writer.write(byte: byte) } }

    private mutating func write(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): write("\\\\")
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\n"): write("\\n")
            default: writer.write(byte: byte)
            }
        }
    }
}
