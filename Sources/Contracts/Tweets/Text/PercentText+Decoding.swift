extension PercentText {
    /// The text without percent signs; what is no code stays as it is.
    static func decode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let code = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                plain.append(code)
                index += 3
            } else {
                plain.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The value of a parameter in a query, `?max_id=250&q=rain`.
    static func parameter(_ name: String, of query: String) -> String? {
        for pair in query.drop(while: { $0 == "?" }).split(separator: "&") where pair.hasPrefix(name + "=") {
            return decode(String(pair.dropFirst(name.count + 1)))
        }
        return nil
    }
}
