import JSONText

/// A figure of the service, described once: the text for Prometheus and the table of the documents come from this value.
///
///     Figure("weir_cache_documents", .gauge, "Documents in the cache.", value: { $0.documents.entries })
public struct Figure<Source>: Sendable {
    /// The name, whose end is the unit, or `total` for a counter, as Prometheus has it.
    public let name: String
    /// What the values are.
    public let kind: FigureKind
    /// The names of the labels.
    public let labels: [String]
    /// One sentence without backslashes.
    public let help: String
    /// Further sentences for the documents, such as the values of the labels.
    public let note: String?
    private let samples: @Sendable (Source) -> [FigureSample]?

    /// A figure with a sample for each combination of labels; the figure is absent if `samples` returns nil.
    public init(
        _ name: String, _ kind: FigureKind, _ labels: [String], _ help: String, note: String? = nil,
        samples: @escaping @Sendable (Source) -> [FigureSample]?
    ) {
        (self.name, self.kind, self.labels, self.help, self.note) = (name, kind, labels, help, note)
        self.samples = samples
    }

    /// A figure without labels; the figure is absent if `value` returns nil.
    public init<Value: FigureValue>(
        _ name: String, _ kind: FigureKind, _ help: String, note: String? = nil,
        value: @escaping @Sendable (Source) -> Value?
    ) {
        self.init(name, kind, [], help, note: note) { source in value(source).map { [FigureSample($0)] } }
    }

    /// The same figure of a source that has this one as a part; the figure is absent if there is no part.
    public func of<Whole>(_ part: @escaping @Sendable (Whole) -> Source?) -> Figure<Whole> {
        Figure<Whole>(name, kind, labels, help, note: note) { [samples] whole in part(whole).flatMap(samples) }
    }
}

/// What the values of a figure are.
public enum FigureKind: String, Sendable {
    /// A number that only grows.
    case counter
    /// A number that rises and falls.
    case gauge
    /// Counts by upper bounds.
    case histogram
    /// Always 1: the labels are the information.
    case info
}

/// A value of a figure, with the values of the figure's labels.
public struct FigureSample: Sendable {
    fileprivate let value: any FigureValue
    fileprivate let labels: [String]

    /// A value with its labels in the order of the figure; an empty label is the same as none.
    public init(_ value: some FigureValue, _ labels: String...) { (self.value, self.labels) = (value, labels) }
}

/// A number, a truth or a histogram.
public protocol FigureValue: Sendable {
    /// Writes the samples of the value in the text format of Prometheus.
    func write(to text: inout MetricsText)
}

extension FigureValue where Self: BinaryInteger {
    /// Writes the number.
    public func write(to text: inout MetricsText) { text.sample(Double(self)) }
}

extension Int: FigureValue {}
extension UInt64: FigureValue {}

extension Double: FigureValue {
    /// Writes the number.
    public func write(to text: inout MetricsText) { text.sample(self) }
}

extension Bool: FigureValue {
    /// Writes 1 for true and 0 for false.
    public func write(to text: inout MetricsText) { text.sample(self ? 1 : 0) }
}

extension Array {
    /// Returns the figures of a source that has theirs as a part; they are absent if there is no part.
    public func of<Source, Whole>(_ part: @escaping @Sendable (Whole) -> Source?) -> [Figure<Whole>]
    where Element == Figure<Source> {
        map { $0.of(part) }
    }

    /// Returns the figures of `source` in a text format.
    public func text<Source>(of source: Source, as format: MetricsFormat = .prometheus) -> [UInt8]
    where Element == Figure<Source> {
        var text = MetricsText(format)
        for figure in self { figure.write(source, to: &text) }
        return text.bytes
    }
}

extension Figure {
    fileprivate func write(_ source: Source, to text: inout MetricsText) {
        guard let samples = samples(source) else { return }
        text.begin(name, kind, help)
        for sample in samples {
            text.labels = zip(labels, sample.labels).filter { !$1.isEmpty }
            sample.value.write(to: &text)
        }
    }
}

/// A text format of metrics, with its media type.
public enum MetricsFormat: String, Sendable {
    /// The text format of Prometheus.
    case prometheus = "text/plain; version=0.0.4; charset=utf-8"
    /// OpenMetrics, whose histograms have exemplars.
    case openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"
}

/// Families of metrics one after another, each with its help, its kind and its samples.
public struct MetricsText: ~Copyable {
    private let format: MetricsFormat
    private var writer = JSONWriter(capacity: 16 << 10)
    private var family = ""
    fileprivate var labels: [(name: String, value: String)] = []

    fileprivate init(_ format: MetricsFormat) { self.format = format }

    fileprivate var bytes: [UInt8] { writer.bytes + (format == .openMetrics ? Array("# EOF\n".utf8) : []) }

    fileprivate mutating func begin(_ name: String, _ kind: FigureKind, _ help: String) {
        family = name
        // In OpenMetrics, the end of the name belongs to the sample alone, and the kind `info` exists.
        let end = format == .prometheus ? "" : kind == .counter ? "_total" : kind == .info ? "_info" : ""
        let shown = name.hasSuffix(end) ? name.dropLast(end.count) : name[...]
        let type = format == .prometheus && kind == .info ? .gauge : kind
        write("# HELP \(shown) \(help)\n# TYPE \(shown) \(type.rawValue)\n")
    }

    /// Writes a sample with the current labels; `suffix` is such as `_bucket`, and `bound` the last label `le`.
    mutating func sample(_ value: Double, suffix: String = "", bound: String? = nil, _ exemplar: Exemplar? = nil) {
        write(family)
        write(suffix)
        var separator = "{"
        for (name, value) in labels + (bound.map { [("le", $0)] } ?? []) {
            write("\(separator)\(name)=\"")
            write(escaped: value)
            writer.write(byte: UInt8(ascii: "\""))
            separator = ","
        }
        if separator == "," { write("}") }
        write(" ")
        if value.isFinite { writer.write(value) } else { write(value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf") }
        if format == .openMetrics, let exemplar { write(exemplar.text) }
        write("\n")
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
