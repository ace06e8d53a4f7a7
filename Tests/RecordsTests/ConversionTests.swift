import JSONText
import Records
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
        ])
    func converted(document: String, becomes: String) throws {
        #expect(try convert(document, toMetric) == becomes)
    }

    @Test("Without a conversion, numbers are unchanged")
    func withoutConversion() throws {
        #expect(try convert(#"{"temperature":51.61}"#, nil) == #"{"temperature":51.61,"dewPoint":0}"#)
    }
}
