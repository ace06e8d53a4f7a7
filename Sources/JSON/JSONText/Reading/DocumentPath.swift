/// The path of a value in a document, as errors and drift reports show it.
///
/// A path names one value, `hourly.data[12].windSpeed`; a pattern stands for every element of an array,
/// `hourly.data[].windSpeed`. The path of the root is empty.
///
///     var path = DocumentPath()
///     path.append(member: "hourly")
///     path.append(index: 12)
///     path.text  // "hourly[12]"
package struct DocumentPath: Hashable, Sendable {
    /// The maximum length of a member's name in bytes; longer names are cut so that a hostile key cannot fill a report.
    package static let maximumNameBytes = 64

    /// The path as text.
    package private(set) var text = ""

    private let maximumBytes: Int
    private var isCut = false

    /// The path of the root.
    ///
    /// A path of at least `maximumBytes` bytes takes one more step, `…`, and then stays as it is.
    package init(maximumBytes: Int = .max) { self.maximumBytes = maximumBytes }

    /// Appends a step into the member called `name`.
    package mutating func append(member name: String) {
        var name = name
        name.withUTF8 { append(member: $0) }
    }

    /// Appends a step into the member whose name is the UTF-8 text `name`.
    package mutating func append(member name: UnsafeBufferPointer<UInt8>) {
        var count = min(name.count, Self.maximumNameBytes)
        // A cut must not split a character: continuation bytes are 10xxxxxx.
        while count < name.count, count > 0, name[count] & 0xC0 == 0x80 { count -= 1 }
        append(String(decoding: name[..<count], as: UTF8.self), after: text.isEmpty ? "" : ".")
    }

    /// Appends a step into the element at `index`.
    package mutating func append(index: Int) { append("[\(index)]") }

    /// Appends a step that stands for every element of an array.
    package mutating func appendAnyElement() { append("[]") }

    private mutating func append(_ step: String, after separator: String = "") {
        guard !isCut else { return }
        isCut = text.utf8.count >= maximumBytes
        if isCut {
            text += "…"
        } else {
            text += separator
            text += step
        }
    }
}
