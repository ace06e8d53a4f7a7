/// A word of dates in English.
package struct DateName: Sendable {
    package let text: String
    /// The text in lower case, for comparing.
    package let lowercase: [UInt8]

    package init(_ text: String) {
        self.text = text
        lowercase = text.utf8.map { $0 | 0x20 }
    }

    package static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ].map(DateName.init)
    package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].map(
        DateName.init)
    package static let shortMonths = months.map { DateName(String($0.text.prefix(3))) }
    package static let shortWeekdays = weekdays.map { DateName(String($0.text.prefix(3))) }
    package static let halves = ["AM", "PM"].map(DateName.init)
    package static let zones = ["UTC", "GMT"].map(DateName.init)
}
