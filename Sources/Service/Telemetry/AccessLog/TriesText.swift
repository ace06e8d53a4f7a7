public import HTTPCore
public import JSONText

extension JSONWriter {
    /// Writes tries as an array of objects, the same in the access log and in the lines `fetched` and `refresh failed`.
    public mutating func write(_ tries: [UpstreamTry]) {
        write(byte: UInt8(ascii: "["))
        for (index, entry) in tries.enumerated() {
            if index > 0 { write(byte: UInt8(ascii: ",")) }
            write(entry)
        }
        write(byte: UInt8(ascii: "]"))
    }

    private mutating func write(_ entry: UpstreamTry) {
        write(raw: #"{"upstream":"#)
        write(entry.upstream)
        write(raw: #","requests":"#)
        write(entry.requests)
        write(raw: #","result":"#)
        write(entry.result)
        write(raw: #","milliseconds":"#)
        write(Int64(entry.milliseconds))
        write(raw: #","bytes":"#)
        write(Int64(entry.bytes))
        if let isReused = entry.isReused {
            write(raw: isReused ? #","connection":"reused""# : #","connection":"new""#)
        }
        if entry.sent > 1 {
            write(raw: #","sent":"#)
            write(Int64(entry.sent))
        }
        write(raw: entry.isShared ? #","shared":true}"# : "}")
    }
}
