/// Forecasts of Dark Sky with a number in all of their texts.
package enum NumberedForecast {
    /// Returns a forecast with so many hours of about 380 bytes each.
    package static func text(latitude: String, longitude: String, hours: Int) -> NumberedText {
        let mark = NumberedText.mark(0)
        let entries = (0..<hours).map { hour in
            """
            {"time":\(1_767_290_400 + 3600 * hour),"summary":"Partly cloudy \(mark)","icon":"partly-cloudy-day",\
            "precipIntensity":0.0123,"precipProbability":0.21,"precipType":"rain","temperature":10.93,\
            "apparentTemperature":10.51,"dewPoint":7.34,"humidity":0.78,"pressure":1017.3,"windSpeed":3.41,\
            "windGust":7.85,"windBearing":261,"cloudCover":0.55,"uvIndex":1,"visibility":16.093,"ozone":301.2}
            """
        }
        return NumberedText(
            Array(
                """
                {"latitude":\(latitude),"longitude":\(longitude),"timezone":"America/Los_Angeles",\
                "currently":{"time":1767290437,"summary":"\(mark)","temperature":10.9},\
                "hourly":{"summary":"\(mark)","data":[\(entries.joined(separator: ","))]},\
                "alerts":[{"title":"\(mark)","time":1767290437}],"flags":{"units":"si"}}
                """.utf8))
    }
}
