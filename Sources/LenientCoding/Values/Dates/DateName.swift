/// A word of dates in English.
struct DateName: Sendable {
    let text: String
    /// The text in lower case, for comparing.
    let lowercase: [UInt8]

    init(_ text: String) {
        self.text = text
        lowercase = text.utf8.map { $0 | 0x20 }
    }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ].map(DateName.init)
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].map(
        DateName.init)
    static let shortMonths = months.map { DateName(String($0.text.prefix(3))) }
    static let shortWeekdays = weekdays.map { DateName(String($0.text.prefix(3))) }
    static let halves = ["AM", "PM"].map(DateName.init)
    static let zones = ["UTC", "GMT"].map(DateName.init)
}
