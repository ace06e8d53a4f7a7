import JSONText
import Records
import TestSupport
import Testing

private struct Air: Record {
    var temperature: Double?, dewPoint = 0.0, windSpeed: Double?, humidity: Double?, parts: [Air]?
    var pressure: Double?
    static let schema = Schema<Air> {
        Field(\.temperature, .dimension(.temperature))
        Field(\.dewPoint, .dimension(.temperature), .defaulted)
        Field(\.windSpeed, .dimension(.speed))
        Field(\.humidity)
        Field(\.pressure, .dimension(.pressure))
        Field(\.parts)
    }
}

@Suite("Unit conversion")
struct ConversionTests {
    private let toMetric = Conversion([
        .temperature: .init(scale: 5.0 / 9, offset: -160.0 / 9, places: 2),
        .speed: .init(scale: 0.44704, places: 2),
    ])

    private func convert(_ document: String, _ conversion: Conversion?) throws -> String {
        var parser = JSONParser()
        return try parser.withDocument(Array(document.utf8)) { root in
            var writer = JSONWriter()
            try Air.read(root).record.write(to: &writer, style: WritingStyle(conversion: conversion))
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    @Test(
        "Numbers with a dimension are converted and rounded; other numbers are unchanged",
        arguments: [
            (#"{"temperature":32}"#, #"{"temperature":0,"dewPoint":-17.78}"#),
            (#"{"temperature":51.61,"dewPoint":212}"#, #"{"temperature":10.89,"dewPoint":100}"#),
            (#"{"windSpeed":10,"dewPoint":32}"#, #"{"dewPoint":0,"windSpeed":4.47}"#),
            (#"{"humidity":0.123456,"dewPoint":32}"#, #"{"dewPoint":0,"humidity":0.123456}"#),
            (#"{"dewPoint":31.999}"#, #"{"dewPoint":0}"#),
            (#"{"pressure":1013.2512,"dewPoint":32}"#, #"{"dewPoint":0,"pressure":1013.2512}"#),
            (
                #"{"dewPoint":32,"parts":[{"temperature":50,"dewPoint":32}]}"#,
                #"{"dewPoint":0,"parts":[{"temperature":10,"dewPoint":0}]}"#
            ),
            (#"{"windSpeed":1e308,"dewPoint":32}"#, #"{"dewPoint":0,"windSpeed":4.4704e307}"#),
            (#"{"windSpeed":3e11,"dewPoint":32}"#, #"{"dewPoint":0,"windSpeed":134112000000}"#),
            (#"{"windSpeed":-0.001,"dewPoint":32}"#, #"{"dewPoint":0,"windSpeed":0}"#),
            (#"{"windSpeed":98765.4321,"dewPoint":32}"#, #"{"dewPoint":0,"windSpeed":44152.1}"#),
        ])
    func converted(document: String, becomes: String) throws {
        #expect(try convert(document, toMetric) == becomes)
    }

    @Test("A converted number is the one that rounding to its decimals gives, in its shortest form", arguments: 0...8)
    func rounded(places: Int) throws {
        var random = SplitMix64(seed: 6)
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let same = Conversion([.temperature: .init(scale: 1, places: places)])
        var wrong: [Double] = []
        for _ in 0..<5_000 {
            // Half of the numbers lie in the middle of two decimals.
            let value = Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / (2 * scale)
            let number = (value * scale).rounded() / scale
            var writer = JSONWriter()
            writer.write(number == 0 ? 0 : number)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            let document = #"{"temperature":\#(value),"dewPoint":0}"#
            if try convert(document, same) != #"{"temperature":\#(text),"dewPoint":0}"# { wrong.append(value) }
        }
        #expect(wrong == [])
    }

    @Test("Without a conversion, numbers are unchanged")
    func withoutConversion() throws {
        #expect(try convert(#"{"temperature":51.61}"#, nil) == #"{"temperature":51.61,"dewPoint":0}"#)
    }
}
