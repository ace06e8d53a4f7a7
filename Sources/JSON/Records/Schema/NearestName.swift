import JSONText

/// Finds the known name that a misspelled one was meant to be.
///
///     NearestName.find("tempreature", among: ["temperature", "time"])  // "temperature"
public enum NearestName {
    /// Returns the known name nearest to `name`, ignoring case; nil if none is near.
    ///
    ///     NearestName.find("Retres", among: ["retries", "timeout"])  // "retries"
    ///     NearestName.find("colour", among: ["retries", "timeout"])  // nil
    public static func find(_ name: String, among known: [String]) -> String? { NameSearch.find(name, among: known) }

    /// Returns the known name with the smallest distance, however large; nil if there are no known names.
    ///
    ///     NearestName.closest(to: "colour", among: ["colors", "retries"])  // "colors"
    public static func closest(to name: String, among known: [String]) -> String? {
        NameSearch.closest(to: name, among: known)
    }
}
