import HTTPCore
import Testing

struct CacheControlTests {
    private static func read(_ lines: String...) -> CacheControl {
        CacheControl(HeaderFields(lines.map { ("Cache-Control", $0) }))
    }

    @Test(arguments: [
        "no-store, private, no-cache, must-revalidate", "NO-STORE,Private,no-Cache,Must-Revalidate",
        " ,no-store ,,\tprivate=\"Set-Cookie, no\", no-cache=\"a\" , proxy-revalidate,",
        "private , no-store,no-cache=x,must-revalidate=1",
    ])
    func flagsAreReadInAnyLetterCaseAndWithArguments(_ text: String) {
        let control = Self.read(text)
        #expect(control.forbidsStoring && control.isPrivate && control.requiresValidation && control.forbidsStale)
    }

    @Test(arguments: [
        "", "public", "max-age=60", "x-no-store", "no-storex", "nostore", "x=\"no-store, private, no-cache\"",
        "=no-store",
        "no store", "x=\"a\\\", no-store, private\"",
    ])
    func otherDirectivesSetNoFlag(_ text: String) {
        let control = Self.read(text)
        #expect(!control.forbidsStoring && !control.isPrivate && !control.requiresValidation && !control.forbidsStale)
    }

    @Test(
        arguments: [
            ("max-age=60", 60), ("max-age=\"60\"", 60), ("MAX-AGE=060", 60), ("max-age = 60", 60), ("max-age=0", 0),
            // More than every cache can count is as long as possible.
            ("max-age=2147483648", CacheControl.longest), ("max-age=2147483649", CacheControl.longest),
            ("max-age=99999999999999999999999999", CacheControl.longest),
            // Malformed means stale.
            ("max-age", 0), ("max-age=", 0), ("max-age=\"\"", 0), ("max-age=\"", 0), ("max-age=-1", 0),
            ("max-age=+60", 0), ("max-age=6.5", 0), ("max-age=60s", 0), ("max-age=6 0", 0), ("max-age=0x3c", 0),
            ("max-age='60'", 0), ("max-age=\"60", 0), ("max-age=٦", 0),
            // The first of several counts.
            ("max-age=60, max-age=5", 60), ("max-age=5, max-age=60", 5), ("max-age=x, max-age=60", 0),
            ("max-age=0, no-transform, max-age=\"60\"", 0), ("s-maxage=60", nil), ("maxage=60", nil), ("", nil),
        ] as [(String, Int?)])
    func secondsAreDigits(_ text: String, _ seconds: Int?) { #expect(Self.read(text).maximumAge == seconds) }

    @Test func aQuotedStringWithoutAnEndForbidsStoring() {
        #expect(Self.read("max-age=60, x=\"a, no-store").forbidsStoring)
        #expect(Self.read("x=\"").forbidsStoring)
        #expect(!Self.read("x=\"\", max-age=60, y=").forbidsStoring)
    }

    @Test func everyKindOfSecondsHasItsDirective() {
        let control = Self.read("s-maxage=2,stale-while-revalidate=3", "stale-if-error=\"4\"", "max-age=1, immutable")
        #expect([control.maximumAge, control.sharedMaximumAge] == [1, 2])
        #expect([control.staleWhileRevalidate, control.staleIfError] == [3, 4])
    }
}
