/// The languages that Dark Sky and Pirate Weather document for summaries.
enum WeatherLanguages {
    /// Their codes, in order.
    static let all = [
        "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "fa", "fi",
        "fr",
        "ga", "gd", "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ka", "kn", "ko", "kw", "lv", "ml", "mr", "nb",
        "nl",
        "no", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "te", "tet", "tr", "uk", "ur", "vi",
        "x-pig-latin", "zh", "zh-tw",
    ]
}
