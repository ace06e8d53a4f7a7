/// The words of summaries in one language.
///
/// A new language is one more entry in ``all``; a new weather code is one more word in every entry, which a test compares.
struct SummaryLanguage: Sendable {
    /// The language by Dark Sky's code, as the parameter `lang` names it.
    let code: String
    /// The words by weather code; `WeatherCode.slightHail` has its own.
    let words: [Int: String]

    /// The weather codes in the order of the words, the slight hail last; 96 has the words of 95.
    private static let codes = WeatherCode.allCodes.filter { $0 != 96 }.sorted()

    /// Returns the weather of a code in words; a condition has English ones alone.
    func summary(of code: Int) -> String? { words[code] ?? WeatherCode.find(code)?.words }

    private init(_ code: String, _ words: String) {
        self.code = code
        var table = Dictionary(uniqueKeysWithValues: zip(Self.codes, words.split(separator: " | ").map(String.init)))
        table[96] = table[95]
        self.words = table
    }

    /// Returns the language that `lang` names, or English if it has no table.
    static func named(_ lang: String?) -> SummaryLanguage {
        lang.flatMap { lang in all.first { $0.code == lang } } ?? english
    }

    /// English, in Dark Sky's words.
    static let english = SummaryLanguage(
        "en",
        """
        Clear | Mostly Clear | Partly Cloudy | Overcast | Foggy | Freezing Fog | Light Drizzle | Drizzle | Heavy \
        Drizzle | Light Freezing Drizzle | Freezing Drizzle | Light Rain | Rain | Heavy Rain | Light Freezing Rain \
        | Freezing Rain | Light Snow | Snow | Heavy Snow | Snow Grains | Light Rain Showers | Rain Showers | Heavy \
        Rain Showers | Light Snow Showers | Heavy Snow Showers | Thunderstorm | Thunderstorm with Heavy Hail | \
        Thunderstorm with Hail
        """)

    /// All languages.
    static let all = [
        english,
        SummaryLanguage(
            "de",
            """
            Klar | Überwiegend klar | Teilweise bewölkt | Bedeckt | Nebel | Gefrierender Nebel | Leichter \
            Nieselregen | Nieselregen | Starker Nieselregen | Leichter gefrierender Nieselregen | Gefrierender \
            Nieselregen | Leichter Regen | Regen | Starker Regen | Leichter gefrierender Regen | Gefrierender Regen \
            | Leichter Schneefall | Schneefall | Starker Schneefall | Schneegriesel | Leichte Regenschauer | \
            Regenschauer | Starke Regenschauer | Leichte Schneeschauer | Starke Schneeschauer | Gewitter | Gewitter \
            mit starkem Hagel | Gewitter mit Hagel
            """),
        SummaryLanguage(
            "fr",
            """
            Ciel dégagé | Ciel plutôt dégagé | Partiellement nuageux | Couvert | Brouillard | Brouillard givrant | \
            Bruine légère | Bruine | Forte bruine | Bruine verglaçante légère | Bruine verglaçante | Pluie légère | \
            Pluie | Forte pluie | Pluie verglaçante légère | Pluie verglaçante | Neige légère | Neige | Forte neige \
            | Neige en grains | Averses légères | Averses | Fortes averses | Averses de neige légères | Fortes \
            averses de neige | Orage | Orage avec forte grêle | Orage avec grêle
            """),
        SummaryLanguage(
            "es",
            """
            Despejado | Mayormente despejado | Parcialmente nublado | Cubierto | Niebla | Niebla helada | Llovizna \
            ligera | Llovizna | Llovizna intensa | Llovizna helada ligera | Llovizna helada | Lluvia ligera | \
            Lluvia | Lluvia intensa | Lluvia helada ligera | Lluvia helada | Nieve ligera | Nieve | Nieve intensa | \
            Cinarra | Chubascos ligeros | Chubascos | Chubascos intensos | Chubascos de nieve ligeros | Chubascos \
            de nieve intensos | Tormenta | Tormenta con granizo intenso | Tormenta con granizo
            """),
        SummaryLanguage(
            "it",
            """
            Sereno | Prevalentemente sereno | Parzialmente nuvoloso | Coperto | Nebbia | Nebbia gelata | Pioviggine \
            leggera | Pioviggine | Pioviggine intensa | Pioviggine gelata leggera | Pioviggine gelata | Pioggia \
            leggera | Pioggia | Pioggia intensa | Pioggia gelata leggera | Pioggia gelata | Neve leggera | Neve | \
            Neve intensa | Neve granulosa | Rovesci leggeri | Rovesci | Rovesci intensi | Rovesci di neve leggeri | \
            Rovesci di neve intensi | Temporale | Temporale con forte grandine | Temporale con grandine
            """),
        SummaryLanguage(
            "pt",
            """
            Céu limpo | Céu pouco nublado | Parcialmente nublado | Encoberto | Nevoeiro | Nevoeiro gelado | \
            Chuvisco fraco | Chuvisco | Chuvisco forte | Chuvisco gelado fraco | Chuvisco gelado | Chuva fraca | \
            Chuva | Chuva forte | Chuva gelada fraca | Chuva gelada | Neve fraca | Neve | Neve forte | Neve \
            granular | Aguaceiros fracos | Aguaceiros | Aguaceiros fortes | Aguaceiros de neve fracos | Aguaceiros \
            de neve fortes | Trovoada | Trovoada com granizo forte | Trovoada com granizo
            """),
        SummaryLanguage(
            "nl",
            """
            Helder | Overwegend helder | Gedeeltelijk bewolkt | Bewolkt | Mist | Aanvriezende mist | Lichte \
            motregen | Motregen | Zware motregen | Lichte ijzelende motregen | IJzelende motregen | Lichte regen | \
            Regen | Zware regen | Lichte ijzel | IJzel | Lichte sneeuw | Sneeuw | Zware sneeuw | Motsneeuw | Lichte \
            regenbuien | Regenbuien | Zware regenbuien | Lichte sneeuwbuien | Zware sneeuwbuien | Onweer | Onweer \
            met zware hagel | Onweer met hagel
            """),
        SummaryLanguage(
            "pl",
            """
            Bezchmurnie | Przeważnie bezchmurnie | Częściowe zachmurzenie | Pochmurno | Mgła | Marznąca mgła | \
            Słaba mżawka | Mżawka | Silna mżawka | Słaba marznąca mżawka | Marznąca mżawka | Słaby deszcz | Deszcz \
            | Silny deszcz | Słaby marznący deszcz | Marznący deszcz | Słaby śnieg | Śnieg | Silny śnieg | Śnieg \
            ziarnisty | Słabe przelotne opady deszczu | Przelotne opady deszczu | Silne przelotne opady deszczu | \
            Słabe przelotne opady śniegu | Silne przelotne opady śniegu | Burza | Burza z silnym gradem | Burza z \
            gradem
            """),
        SummaryLanguage(
            "ja",
            """
            快晴 | 晴れ | 晴れ時々曇り | 曇り | 霧 | 着氷性の霧 | 弱い霧雨 | 霧雨 | 強い霧雨 | 弱い着氷性の霧雨 | 着氷性の霧雨 | 小雨 | 雨 | 大雨 | 弱い着氷性の雨 | \
            着氷性の雨 | 小雪 | 雪 | 大雪 | 霧雪 | 弱いにわか雨 | にわか雨 | 激しいにわか雨 | 弱いにわか雪 | 激しいにわか雪 | 雷雨 | 激しいひょうを伴う雷雨 | ひょうを伴う雷雨
            """),
    ]
}
