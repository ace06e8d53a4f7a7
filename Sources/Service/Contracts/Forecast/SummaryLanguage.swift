/// The words of summaries in one language.
///
/// A new language is one more table in ``all``; a new weather code is one more word in every table, which a test compares.
struct SummaryLanguage: Sendable {
    /// The language by Dark Sky's code, as the parameter `lang` names it.
    let code: String
    /// The words by weather code; `WeatherCode.slightHail` has its own.
    let words: [Int: String]

    private init(_ code: String, _ words: [Int: String]) {
        self.code = code
        self.words = words
    }

    /// Returns the language that `lang` names, or English if it has no table.
    static func named(_ lang: String?) -> SummaryLanguage {
        lang.flatMap { lang in all.first { $0.code == lang } } ?? english
    }

    /// English, in Dark Sky's words.
    static let english = SummaryLanguage(
        "en",
        [
            0: "Clear", 1: "Mostly Clear", 2: "Partly Cloudy", 3: "Overcast", 45: "Foggy", 48: "Freezing Fog",
            51: "Light Drizzle", 53: "Drizzle", 55: "Heavy Drizzle", 56: "Light Freezing Drizzle",
            57: "Freezing Drizzle", 61: "Light Rain", 63: "Rain", 65: "Heavy Rain", 66: "Light Freezing Rain",
            67: "Freezing Rain", 71: "Light Snow", 73: "Snow", 75: "Heavy Snow", 77: "Snow Grains",
            80: "Light Rain Showers", 81: "Rain Showers", 82: "Heavy Rain Showers", 85: "Light Snow Showers",
            86: "Heavy Snow Showers", 95: "Thunderstorm", 96: "Thunderstorm", 99: "Thunderstorm with Heavy Hail",
            WeatherCode.slightHail: "Thunderstorm with Hail",
        ])

    /// All languages.
    static let all = [
        english,
        SummaryLanguage(
            "de",
            [
                0: "Klar", 1: "Überwiegend klar", 2: "Teilweise bewölkt", 3: "Bedeckt", 45: "Nebel",
                48: "Gefrierender Nebel", 51: "Leichter Nieselregen", 53: "Nieselregen", 55: "Starker Nieselregen",
                56: "Leichter gefrierender Nieselregen", 57: "Gefrierender Nieselregen", 61: "Leichter Regen",
                63: "Regen", 65: "Starker Regen", 66: "Leichter gefrierender Regen", 67: "Gefrierender Regen",
                71: "Leichter Schneefall", 73: "Schneefall", 75: "Starker Schneefall", 77: "Schneegriesel",
                80: "Leichte Regenschauer", 81: "Regenschauer", 82: "Starke Regenschauer", 85: "Leichte Schneeschauer",
                86: "Starke Schneeschauer", 95: "Gewitter", 96: "Gewitter", 99: "Gewitter mit starkem Hagel",
                WeatherCode.slightHail: "Gewitter mit Hagel",
            ]),
        SummaryLanguage(
            "fr",
            [
                0: "Ciel dégagé", 1: "Ciel plutôt dégagé", 2: "Partiellement nuageux", 3: "Couvert", 45: "Brouillard",
                48: "Brouillard givrant", 51: "Bruine légère", 53: "Bruine", 55: "Forte bruine",
                56: "Bruine verglaçante légère", 57: "Bruine verglaçante", 61: "Pluie légère", 63: "Pluie",
                65: "Forte pluie", 66: "Pluie verglaçante légère", 67: "Pluie verglaçante", 71: "Neige légère",
                73: "Neige", 75: "Forte neige", 77: "Neige en grains", 80: "Averses légères", 81: "Averses",
                82: "Fortes averses", 85: "Averses de neige légères", 86: "Fortes averses de neige", 95: "Orage",
                96: "Orage", 99: "Orage avec forte grêle", WeatherCode.slightHail: "Orage avec grêle",
            ]),
        SummaryLanguage(
            "es",
            [
                0: "Despejado", 1: "Mayormente despejado", 2: "Parcialmente nublado", 3: "Cubierto", 45: "Niebla",
                48: "Niebla helada", 51: "Llovizna ligera", 53: "Llovizna", 55: "Llovizna intensa",
                56: "Llovizna helada ligera", 57: "Llovizna helada", 61: "Lluvia ligera", 63: "Lluvia",
                65: "Lluvia intensa", 66: "Lluvia helada ligera", 67: "Lluvia helada", 71: "Nieve ligera", 73: "Nieve",
                75: "Nieve intensa", 77: "Cinarra", 80: "Chubascos ligeros", 81: "Chubascos", 82: "Chubascos intensos",
                85: "Chubascos de nieve ligeros", 86: "Chubascos de nieve intensos", 95: "Tormenta", 96: "Tormenta",
                99: "Tormenta con granizo intenso", WeatherCode.slightHail: "Tormenta con granizo",
            ]),
        SummaryLanguage(
            "it",
            [
                0: "Sereno", 1: "Prevalentemente sereno", 2: "Parzialmente nuvoloso", 3: "Coperto", 45: "Nebbia",
                48: "Nebbia gelata", 51: "Pioviggine leggera", 53: "Pioviggine", 55: "Pioviggine intensa",
                56: "Pioviggine gelata leggera", 57: "Pioviggine gelata", 61: "Pioggia leggera", 63: "Pioggia",
                65: "Pioggia intensa", 66: "Pioggia gelata leggera", 67: "Pioggia gelata", 71: "Neve leggera",
                73: "Neve", 75: "Neve intensa", 77: "Neve granulosa", 80: "Rovesci leggeri", 81: "Rovesci",
                82: "Rovesci intensi", 85: "Rovesci di neve leggeri", 86: "Rovesci di neve intensi", 95: "Temporale",
                96: "Temporale", 99: "Temporale con forte grandine", WeatherCode.slightHail: "Temporale con grandine",
            ]),
        SummaryLanguage(
            "pt",
            [
                0: "Céu limpo", 1: "Céu pouco nublado", 2: "Parcialmente nublado", 3: "Encoberto", 45: "Nevoeiro",
                48: "Nevoeiro gelado", 51: "Chuvisco fraco", 53: "Chuvisco", 55: "Chuvisco forte",
                56: "Chuvisco gelado fraco", 57: "Chuvisco gelado", 61: "Chuva fraca", 63: "Chuva", 65: "Chuva forte",
                66: "Chuva gelada fraca", 67: "Chuva gelada", 71: "Neve fraca", 73: "Neve", 75: "Neve forte",
                77: "Neve granular", 80: "Aguaceiros fracos", 81: "Aguaceiros", 82: "Aguaceiros fortes",
                85: "Aguaceiros de neve fracos", 86: "Aguaceiros de neve fortes", 95: "Trovoada", 96: "Trovoada",
                99: "Trovoada com granizo forte", WeatherCode.slightHail: "Trovoada com granizo",
            ]),
        SummaryLanguage(
            "nl",
            [
                0: "Helder", 1: "Overwegend helder", 2: "Gedeeltelijk bewolkt", 3: "Bewolkt", 45: "Mist",
                48: "Aanvriezende mist", 51: "Lichte motregen", 53: "Motregen", 55: "Zware motregen",
                56: "Lichte ijzelende motregen", 57: "IJzelende motregen", 61: "Lichte regen", 63: "Regen",
                65: "Zware regen", 66: "Lichte ijzel", 67: "IJzel", 71: "Lichte sneeuw", 73: "Sneeuw",
                75: "Zware sneeuw", 77: "Motsneeuw", 80: "Lichte regenbuien", 81: "Regenbuien", 82: "Zware regenbuien",
                85: "Lichte sneeuwbuien", 86: "Zware sneeuwbuien", 95: "Onweer", 96: "Onweer",
                99: "Onweer met zware hagel", WeatherCode.slightHail: "Onweer met hagel",
            ]),
        SummaryLanguage(
            "pl",
            [
                0: "Bezchmurnie", 1: "Przeważnie bezchmurnie", 2: "Częściowe zachmurzenie", 3: "Pochmurno", 45: "Mgła",
                48: "Marznąca mgła", 51: "Słaba mżawka", 53: "Mżawka", 55: "Silna mżawka",
                56: "Słaba marznąca mżawka", 57: "Marznąca mżawka", 61: "Słaby deszcz", 63: "Deszcz",
                65: "Silny deszcz", 66: "Słaby marznący deszcz", 67: "Marznący deszcz", 71: "Słaby śnieg", 73: "Śnieg",
                75: "Silny śnieg", 77: "Śnieg ziarnisty", 80: "Słabe przelotne opady deszczu",
                81: "Przelotne opady deszczu", 82: "Silne przelotne opady deszczu", 85: "Słabe przelotne opady śniegu",
                86: "Silne przelotne opady śniegu", 95: "Burza", 96: "Burza", 99: "Burza z silnym gradem",
                WeatherCode.slightHail: "Burza z gradem",
            ]),
        SummaryLanguage(
            "ja",
            [
                0: "快晴", 1: "晴れ", 2: "晴れ時々曇り", 3: "曇り", 45: "霧", 48: "着氷性の霧", 51: "弱い霧雨", 53: "霧雨",
                55: "強い霧雨", 56: "弱い着氷性の霧雨", 57: "着氷性の霧雨", 61: "小雨", 63: "雨", 65: "大雨",
                66: "弱い着氷性の雨", 67: "着氷性の雨", 71: "小雪", 73: "雪", 75: "大雪", 77: "霧雪", 80: "弱いにわか雨",
                81: "にわか雨", 82: "激しいにわか雨", 85: "弱いにわか雪", 86: "激しいにわか雪", 95: "雷雨", 96: "雷雨",
                99: "激しいひょうを伴う雷雨", WeatherCode.slightHail: "ひょうを伴う雷雨",
            ]),
    ]
}
