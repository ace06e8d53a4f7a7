"""Compares the answers of the embedded mappings of forecasts with a second reading of the same documents.

    mappings.py WEIR

Each function below reads the documents of one API as its documentation says, without the mapping. It returns the part of the
contract that the API itself gives: `currently`, `minutely`, `hourly`, `daily` and `alerts` in SI units. Every field that the
reading has is compared with the output of `WEIR normalize --as NAME FILE`; fields that only the output has are the engine's.

A point also has `rain`, `snow` and `ice` (mm of water in its `period`), `icon` without the part of the day, and `isDay`.
The files are `Tests/Fixtures/mappings/NAME.in.json`, `NAME.past.in.json` and `NAME.FORM.in.json` for an older form, and the
recorded ones in `../shared`, if present.
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zoneinfo

ROOT = pathlib.Path(__file__).parents[2]
FIXTURES = ROOT / "Tests/Fixtures/mappings"
RECORDED = ROOT.parent / "shared/corpus/other"

HOUR = 3600
# Icons whose night has another name.
OF_DAY_AND_NIGHT = {"clear", "partly-cloudy"}
# Fields that are compared exactly.
TIMES = {"time", "expires", "sunriseTime", "sunsetTime"}


def number(value):
    """A number, also out of a text; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def first(*values):
    return next((value for value in values if value is not None), None)


def scaled(value, factor, offset=0):
    value = number(value)
    return None if value is None else value * factor + offset


def percent(value):
    return scaled(value, 0.01)


def kilometres_per_hour(value):
    return scaled(value, 1 / 3.6)


def present(point):
    return {name: value for name, value in point.items() if value is not None}


def moment(value, zone=None):
    """The seconds since 1970 of a number, of a date-time, or of a date or a local date-time in a zone."""
    if number(value) is not None:
        return float(value)
    if not value:
        return None
    time = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if time.tzinfo is None:
        time = time.replace(tzinfo=zoneinfo.ZoneInfo(zone or "UTC"))
    return time.timestamp()


def get(value, *path):
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def following(rows, seconds=None):
    """Each row with the next one, or with an empty one if the next does not begin in an hour."""
    for row, after in zip(rows, [*rows[1:], {}]):
        yield row, after if after and (seconds is None or seconds(after) - seconds(row) == HOUR) else {}


def amounts(total, kind):
    """Rain and snow (mm) of a total whose kind is known; both are 0 if the total is."""
    if total is None or (kind not in ("rain", "snow") and total != 0):
        return {}
    return {"rain": total if kind != "snow" else 0, "snow": total if kind == "snow" else 0}


# MET Norway: api.met.no/doc/ForecastJSON, symbols of github.com/metno/weathericons.


def met_norway(document):
    units = get(document, "properties", "meta", "units") or {}
    fahrenheit = {name for name, unit in units.items() if unit in ("fahrenheit", "F")}

    def temperature(values, name):
        value = number(values.get(name))
        return (value - 32) / 1.8 if value is not None and name in fahrenheit else value

    hours = []
    for entry in get(document, "properties", "timeseries") or []:
        data = entry.get("data") or {}
        now = get(data, "instant", "details") or {}
        span = next((hours for hours in (1, 6) if data.get(f"next_{hours}_hours")), None)
        following_hours = data.get(f"next_{span}_hours") or {}
        details = following_hours.get("details") or {}
        symbol, _, light = (get(following_hours, "summary", "symbol_code") or "").partition("_")
        amount = number(details.get("precipitation_amount"))
        wet = next((kind for kind in ("sleet", "snow", "rain") if kind in symbol), None)
        icon = "thunderstorm" if symbol.endswith("thunder") else wet
        sky = {"clearsky": "clear", "fair": "clear", "partlycloudy": "partly-cloudy", "cloudy": "cloudy", "fog": "fog"}
        hours.append({
            "time": moment(entry["time"]),
            "period": span and span * HOUR,
            "temperature": temperature(now, "air_temperature"),
            "dewPoint": temperature(now, "dew_point_temperature"),
            "humidity": percent(now.get("relative_humidity")),
            "pressure": number(now.get("air_pressure_at_sea_level")),
            "windSpeed": number(now.get("wind_speed")),
            "windGust": number(now.get("wind_speed_of_gust")),
            "windBearing": number(now.get("wind_from_direction")),
            "cloudCover": percent(now.get("cloud_area_fraction")),
            "uvIndex": number(now.get("ultraviolet_index_clear_sky")),
            "precipProbability": percent(details.get("probability_of_precipitation")),
            "precipIntensity": None if amount is None else amount / span,
            **(amounts(amount, wet) if symbol else {"rain": 0, "snow": 0} if amount == 0 else {}),
            "icon": icon or sky.get(symbol),
            "isDay": {"day": True, "night": False, "polartwilight": False}.get(light),
        })
    return {"hourly": hours}


# OpenWeatherMap: openweathermap.org/api/one-call-3, conditions of openweathermap.org/weather-conditions.


def open_weather_map(document):
    summary, document = document.get("day") or {}, document.get("moment") or document
    zone = document.get("timezone")
    data = document.get("data") or []
    current = document.get("current") or get(data, 0)
    hours = document.get("hourly") or (data if len(data) > 1 else [])
    days = document.get("daily") or []
    sample = first(get(current, "temp"), get(hours, 0, "temp"), get(days, 0, "temp", "max"))
    kelvin = 273.15 if sample is not None and sample > 150 else 0

    def celsius(value):
        return scaled(value, 1, -kelvin)

    def icon(point):
        code = number(get(point, "weather", 0, "id"))
        if code is None:
            return None
        group, code = int(code) // 100, int(code)
        if code in (511, 611, 612, 613, 615, 616):
            return "sleet"
        if group == 7:
            return {771: "wind", 781: "tornado"}.get(code, "fog")
        if group == 8:
            return {800: "clear", 801: "clear", 802: "partly-cloudy", 803: "partly-cloudy"}.get(code, "cloudy")
        return {2: "thunderstorm", 3: "rain", 5: "rain", 6: "snow"}.get(group)

    def common(point):
        return {
            "dewPoint": celsius(point.get("dew_point")),
            "humidity": percent(point.get("humidity")),
            "pressure": number(point.get("pressure")),
            "windGust": number(point.get("wind_gust")),
            "windBearing": number(point.get("wind_deg")),
            "cloudCover": percent(point.get("clouds")),
            "uvIndex": number(point.get("uvi")),
            "icon": icon(point),
        }

    def depth(value):
        three = number(get(value, "3h"))
        return first(number(get(value, "1h")), None if three is None else three / 3, 0.0)

    def at_moment(point):
        symbol = get(point, "weather", 0, "icon") or ""
        rain, freezes = depth(point.get("rain")), get(point, "weather", 0, "id") == 511
        return {
            **common(point),
            "time": point["dt"],
            "temperature": celsius(point.get("temp")),
            "apparentTemperature": celsius(point.get("feels_like")),
            "windSpeed": number(point.get("wind_speed")),
            "visibility": scaled(point.get("visibility"), 0.001),
            "precipProbability": number(point.get("pop")),
            **({"rain": 0.0, "ice": rain} if freezes else {"rain": rain, "ice": 0.0}),
            "snow": depth(point.get("snow")),
            "isDay": {"d": True, "n": False}.get(symbol[-1:]),
        }

    def local_midnight(seconds):
        time = datetime.datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone or "UTC"))
        return moment(time.date().isoformat(), zone)

    def of_day(point):
        return {
            **common(point),
            "time": local_midnight(point["dt"]),
            "temperatureMax": celsius(get(point, "temp", "max")),
            "temperatureMin": celsius(get(point, "temp", "min")),
            "precipProbability": number(point.get("pop")),
            "rain": first(number(point.get("rain")), 0.0),
            "snow": first(number(point.get("snow")), 0.0),
            "sunriseTime": point.get("sunrise") or None,
            "sunsetTime": point.get("sunset") or None,
            "moonPhase": number(point.get("moon_phase")),
        }

    answer = {"hourly": [at_moment(hour) for hour in hours], "daily": [of_day(day) for day in days]}
    if current:
        answer["currently"] = at_moment(current)
    if summary.get("date"):
        answer["daily"] = [{
            "time": moment(summary["date"], zone),
            "temperatureMax": celsius(get(summary, "temperature", "max")),
            "temperatureMin": celsius(get(summary, "temperature", "min")),
            "precipIntensity": scaled(get(summary, "precipitation", "total"), 1 / 24),
        }]
    answer["minutely"] = [
        {"time": minute["dt"], "precipIntensity": number(minute.get("precipitation"))}
        for minute in document.get("minutely") or []
    ]
    answer["alerts"] = [
        {"title": alert.get("event"), "time": alert.get("start"), "expires": alert.get("end"),
         "description": alert.get("description") or None}
        for alert in document.get("alerts") or []
    ]
    return answer


# The National Weather Service: api.weather.gov/openapi.json, icons of api.weather.gov/icons.


def nws(document):
    forecast = get(document, "hours", "properties") or document.get("properties") or {}
    factors = {"mph": 0.44704, "km/h": 1 / 3.6, "kt": 1852 / 3600, "m/s": 1}

    def quantity(value):
        """A number in the unit beside it, as °C or as a part of one."""
        amount, unit = number(get(value, "value")), get(value, "unitCode") or ""
        if unit.endswith("degF"):
            return scaled(amount, 1 / 1.8, -32 / 1.8)
        return percent(amount) if unit.endswith("percent") else amount

    def speed(value):
        if isinstance(value, dict):
            amount = first(number(value.get("maxValue")), number(value.get("value")))
            return kilometres_per_hour(amount) if value.get("unitCode", "").endswith("km_h-1") else amount
        numbers = re.findall(r"[0-9.]+", value or "")
        unit = (value or "").split(" ")[-1]
        return float(numbers[-1]) * factors[unit] if numbers and unit in factors else None

    def temperature(period):
        value = period.get("temperature")
        if isinstance(value, dict):
            return quantity(value)
        return scaled(value, 1 / 1.8, -32 / 1.8) if period.get("temperatureUnit") == "F" else number(value)

    def icon(period):
        match = re.search("/(day|night)/([a-z_]+)", period.get("icon") or "")
        name = match[2] if match else ""
        if name.startswith("wind_"):
            return "wind"
        by_name = [("tornado", "tornado"), ("tsra", "thunderstorm"), ("hurricane", "rain"), ("tropical", "rain"),
                   ("rain_showers", "rain"), ("rain_", "sleet"), ("snow_", "sleet"), ("sleet", "sleet"), ("fzra", "sleet"),
                   ("rain", "rain"), ("snow", "snow"), ("blizzard", "snow"), ("skc", "clear"), ("few", "clear"), ("hot", "clear"),
                   ("cold", "clear"), ("sct", "partly-cloudy"), ("bkn", "partly-cloudy"), ("ovc", "cloudy"), ("fog", "fog"),
                   ("haze", "fog"), ("smoke", "fog"), ("dust", "fog")]
        found = next((icon for prefix, icon in by_name if name and name.startswith(prefix)), None)
        if name:
            return found
        words = (period.get("shortForecast") or "").lower()
        by_words = [("thunder", "thunderstorm"), ("freezing", "sleet"), ("sleet", "sleet"), ("snow", "snow"), ("rain", "rain"),
                    ("shower", "rain"), ("drizzle", "rain"), ("fog", "fog"), ("partly", "partly-cloudy"),
                    ("mostly cloudy", "partly-cloudy"), ("cloudy", "cloudy"), ("clear", "clear"), ("sunny", "clear")]
        return next((icon for word, icon in by_words if word in words), None)

    compass = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
    hours = []
    for period in forecast.get("periods") or []:
        direction = period.get("windDirection")
        hours.append({
            "time": moment(period["startTime"]),
            "temperature": temperature(period),
            "dewPoint": quantity(period.get("dewpoint")),
            "humidity": quantity(period.get("relativeHumidity")),
            "precipProbability": quantity(period.get("probabilityOfPrecipitation")),
            "windSpeed": speed(period.get("windSpeed")),
            "windGust": speed(period.get("windGust")),
            "windBearing": compass.index(direction) * 22.5 if direction in compass else None,
            "icon": icon(period),
        })
    alerts = []
    for feature in get(document, "alerts", "features") or []:
        alert = feature["properties"]
        if (alert.get("status") or "Actual") != "Actual" or alert.get("messageType") == "Cancel":
            continue
        texts = [text for text in (alert.get("description"), alert.get("instruction")) if text]
        alerts.append({
            "title": alert.get("event") or alert.get("headline"),
            "regions": alert["areaDesc"].split("; ") if alert.get("areaDesc") else None,
            "severity": alert.get("severity"),
            "time": moment(alert.get("effective") or alert.get("sent") or alert.get("onset")),
            "expires": moment(alert.get("ends") or alert.get("expires")),
            "description": "\n\n".join(texts) or None,
            "uri": alert.get("@id") or alert.get("id"),
        })
    return {"hourly": hours, "alerts": alerts}


# Bright Sky: brightsky.dev/docs, the units of `units=dwd`.


def bright_sky(document):
    weather = (document.get("records") or document).get("weather") or []
    wet = {"rain", "sleet", "snow", "hail", "thunderstorm"}
    hours = []
    for now, after in following(weather, lambda row: moment(row["timestamp"])):
        icon, light = re.fullmatch("(.*?)(?:-(day|night))?", now.get("icon") or "").groups()
        amount, kind = number(after.get("precipitation")), after.get("condition")
        hours.append({
            "time": moment(now["timestamp"]),
            "temperature": number(now.get("temperature")),
            "dewPoint": number(now.get("dew_point")),
            "humidity": percent(now.get("relative_humidity")),
            "pressure": number(now.get("pressure_msl")),
            "cloudCover": percent(now.get("cloud_cover")),
            "visibility": scaled(now.get("visibility"), 0.001),
            "windSpeed": kilometres_per_hour(after.get("wind_speed")),
            "windGust": kilometres_per_hour(after.get("wind_gust_speed")),
            "windBearing": number(after.get("wind_direction")),
            "solar": scaled(after.get("solar"), 1000),
            "precipProbability": percent(after.get("precipitation_probability")),
            "precipIntensity": amount,
            **amounts(amount, kind),
            "icon": after.get("icon") if after.get("icon") in wet else None if icon in wet else icon or None,
            "isDay": {"day": True, "night": False}.get(light),
        })
    warnings = document.get("warnings") or {}
    place = get(warnings, "location", "name_short") or get(warnings, "location", "name")
    alerts = []
    for alert in warnings.get("alerts") or []:
        if (alert.get("status") or "actual") != "actual":
            continue
        language = "en" if alert.get("description_en") else "de"
        texts = [text for text in (alert.get(f"{name}_{language}") for name in ("description", "instruction")) if text]
        alerts.append({
            "title": next((alert[name] for name in ("headline_en", "event_en", "headline_de", "event_de") if alert.get(name)), None),
            "regions": [place] if place else None,
            "severity": (alert.get("severity") or "").capitalize() or None,
            "time": moment(alert.get("effective") or alert.get("onset")),
            "expires": moment(alert.get("expires")),
            "description": "\n\n".join(texts) or None,
        })
    return {"hourly": hours, "alerts": alerts}


# SMHI: opendata.smhi.se/apidocs/metfcst/parameters.html and opendata.smhi.se/metfcst/snow1gv1.


def smhi(document):
    rows = []
    for entry in document.get("timeSeries") or []:
        old = {parameter["name"]: get(parameter, "values", 0) for parameter in entry.get("parameters") or []}
        values = {name: value for name, value in {**old, **(entry.get("data") or {})}.items() if value != 9999}
        start = entry.get("intervalParametersStartTime")
        rows.append({"time": entry.get("time") or entry.get("validTime"), "values": values, "start": start})
    skies = {1: "clear", 2: "clear", 3: "partly-cloudy", 4: "partly-cloudy", 5: "cloudy", 6: "cloudy", 7: "fog"}

    def icon(symbol):
        if symbol in skies:
            return skies[symbol]
        kinds = [({11, 21}, "thunderstorm"), ({8, 9, 10, 18, 19, 20}, "rain"), ({12, 13, 14, 22, 23, 24}, "sleet"),
                 ({15, 16, 17, 25, 26, 27}, "snow")]
        return next((kind for symbols, kind in kinds if symbol in symbols), None)

    hours = []
    for now, after in following(rows):
        own = now["start"] is not None and now["start"] == now["time"]
        here = now["values"]
        span = here if own else after.get("values") or {}
        seconds = moment(after["time"]) - moment(now["time"]) if after else None
        rate = number(first(span.get("precipitation_amount_mean"), span.get("pmean")))
        frozen = max(0, number(first(span.get("precipitation_frozen_part"), span.get("spp"), 0))) / 100
        freezes = span.get("predominant_precipitation_type_at_surface") in (3, 8, 12) or span.get("pcat") in (5, 6)
        symbol = first(here.get("symbol_code"), here.get("Wsymb2"))
        symbol_after = first(get(after, "values", "symbol_code"), get(after, "values", "Wsymb2"))
        if not own:
            symbol = symbol_after if (symbol_after or 0) >= 8 else symbol if (symbol or 99) < 8 else None
        octas = number(first(here.get("cloud_area_fraction"), here.get("tcc_mean")))
        point = {
            "time": moment(now["time"]),
            "period": seconds,
            "temperature": number(first(here.get("air_temperature"), here.get("t"))),
            "humidity": percent(first(here.get("relative_humidity"), here.get("r"))),
            "pressure": number(first(here.get("air_pressure_at_mean_sea_level"), here.get("msl"))),
            "windSpeed": number(first(here.get("wind_speed"), here.get("ws"))),
            "windGust": number(first(here.get("wind_speed_of_gust"), here.get("gust"))),
            "windBearing": number(first(here.get("wind_from_direction"), here.get("wd"))),
            "visibility": number(first(here.get("visibility_in_air"), here.get("vis"))),
            "cloudCover": octas / 8 if octas is not None and octas <= 8 else None,
            "precipProbability": percent(span.get("probability_of_precipitation")),
            "precipIntensity": rate,
            "icon": icon(symbol),
        }
        if rate is not None and seconds:
            amount = rate * seconds / HOUR
            point["ice"] = amount if freezes else 0
            point["snow"] = 0 if freezes else amount * frozen
            point["rain"] = 0 if freezes else amount * (1 - frozen)
        hours.append(point)
    return {"hourly": hours}


# Visual Crossing: visualcrossing.com/resources/documentation/weather-api, `unitGroup=metric`, `iconSet=icons2`.


def visual_crossing(document):
    zone = document.get("timezone")

    def icon(point):
        name = re.sub("-(day|night)$", "", point.get("icon") or "")
        if set(point.get("preciptype") or []) & {"freezingrain", "ice"}:
            return "sleet"
        return {"snow-showers": "snow", "showers": "rain", "thunder-rain": "thunderstorm",
                "thunder-showers": "thunderstorm"}.get(name, name) or None

    def common(point):
        return {
            "dewPoint": number(point.get("dew")),
            "humidity": percent(point.get("humidity")),
            "pressure": number(point.get("pressure")),
            "windGust": kilometres_per_hour(point.get("windgust")),
            "windBearing": number(point.get("winddir")),
            "cloudCover": percent(point.get("cloudcover")),
            "visibility": number(point.get("visibility")),
            "uvIndex": number(point.get("uvindex")),
            "precipProbability": percent(point.get("precipprob")),
            "icon": icon(point),
        }

    def at_moment(point):
        light = (point.get("icon") or "").rpartition("-")[2]
        return {
            **common(point),
            "time": point["datetimeEpoch"],
            "temperature": number(point.get("temp")),
            "apparentTemperature": number(point.get("feelslike")),
            "windSpeed": kilometres_per_hour(point.get("windspeed")),
            "solar": number(point.get("solarradiation")),
            "precipIntensity": number(point.get("precip")),
            "isDay": {"day": True, "night": False}.get(light),
        }

    def of_day(day):
        return {
            **common(day),
            "time": moment(day["datetime"], zone),
            "temperatureMax": number(day.get("tempmax")),
            "temperatureMin": number(day.get("tempmin")),
            "apparentTemperatureMax": number(day.get("feelslikemax")),
            "apparentTemperatureMin": number(day.get("feelslikemin")),
            "windSpeed": kilometres_per_hour(day.get("windspeedmean")),
            "precipIntensity": scaled(day.get("precip"), 1 / 24),
            "snowAccumulation": number(day.get("snow")),
            "sunriseTime": day.get("sunriseEpoch"),
            "sunsetTime": day.get("sunsetEpoch"),
            "moonPhase": number(day.get("moonphase")),
        }

    days = document.get("days") or []
    hours = [hour for day in days for hour in day.get("hours") or []]
    answer = {
        "hourly": [{**at_moment(hour), "snowAccumulation": number(hour.get("snow"))} for hour in hours],
        "daily": [of_day(day) for day in days],
        "alerts": [
            {"title": alert.get("event") or alert.get("headline"), "time": moment(first(alert.get("onsetEpoch"), alert.get("onset")), zone),
             "expires": moment(first(alert.get("endsEpoch"), alert.get("ends")), zone),
             "description": alert.get("description") or alert.get("headline"), "uri": alert.get("link") or None}
            for alert in document.get("alerts") or []
        ],
    }
    if document.get("currentConditions"):
        answer["currently"] = at_moment(document["currentConditions"])
    return answer


# Weatherbit: weatherbit.io/api, `units=M`, codes of weatherbit.io/api/codes.


def weatherbit(document):
    alone = get(document, "data", 0) or {}
    days = document.get("days") or (document if "max_temp" in alone else {})
    current = document.get("current") or (document if "ob_time" in alone else {})
    hours = get(document, "hours", "data") or []

    def icon(point):
        code = number(get(point, "weather", "code"))
        if code is None:
            return None
        if code in (511, 610, 611, 612):
            return "sleet"
        if code == 900:
            return "rain"
        sky = {800: "clear", 801: "clear", 802: "partly-cloudy", 803: "partly-cloudy", 804: "cloudy"}
        return sky.get(code) or {2: "thunderstorm", 3: "rain", 5: "rain", 6: "snow", 7: "fog"}.get(code // 100)

    def common(point):
        return {
            "dewPoint": number(point.get("dewpt")),
            "humidity": percent(point.get("rh")),
            "pressure": number(point.get("slp")),
            "stationPressure": number(point.get("pres")),
            "windSpeed": number(point.get("wind_spd")),
            "windBearing": number(point.get("wind_dir")),
            "cloudCover": percent(point.get("clouds")),
            "visibility": number(point.get("vis")),
            "uvIndex": number(point.get("uv")),
            "icon": icon(point),
        }

    def at_moment(point):
        return {
            **common(point),
            "time": point["ts"],
            "temperature": number(point.get("temp")),
            "apparentTemperature": number(point.get("app_temp")),
            "solar": number(point.get("solar_rad")),
            "isDay": {"d": True, "n": False}.get(point.get("pod")),
        }

    dry = {"clear", "partly-cloudy", "cloudy", "fog", None}
    of_hours = []
    for now, after in following(hours, lambda row: row["ts"]):
        wet_after = icon(after) not in dry
        of_hours.append({
            **at_moment(now),
            "windGust": number(now.get("wind_gust_spd")),
            "ozone": number(now.get("ozone")),
            "precipProbability": percent(after.get("pop")),
            "precipIntensity": number(after.get("precip")),
            "snowAccumulation": scaled(after.get("snow"), 0.1),
            "icon": icon(after) if wet_after else icon(now) if icon(now) in dry else None,
        })
    of_days = [{
        **common(day),
        "time": moment(day.get("valid_date") or day["datetime"][:10], days.get("timezone")),
        "temperatureMax": number(day.get("max_temp")),
        "temperatureMin": number(day.get("min_temp")),
        "temperatureHigh": number(day.get("high_temp")),
        "temperatureLow": number(day.get("low_temp")),
        "apparentTemperatureMax": number(day.get("app_max_temp")),
        "apparentTemperatureMin": number(day.get("app_min_temp")),
        "windGust": number(day.get("wind_gust_spd")),
        "ozone": number(day.get("ozone")),
        "precipProbability": percent(day.get("pop")),
        "precipIntensity": scaled(day.get("precip"), 1 / 24),
        "snowAccumulation": scaled(day.get("snow"), 0.1),
        "sunriseTime": day.get("sunrise_ts"),
        "sunsetTime": day.get("sunset_ts"),
        "moonPhase": number(day.get("moon_phase_lunation")),
    } for day in days.get("data") or []]
    answer = {"hourly": of_hours, "daily": of_days}
    observation = get(current, "data", 0)
    if observation:
        answer["currently"] = {
            **at_moment(observation),
            "windGust": number(observation.get("gust")),
            "airQualityIndex": number(observation.get("aqi")),
            "precipIntensity": number(observation.get("precip")),
        }
    answer["alerts"] = [
        {"title": alert.get("title"), "regions": alert.get("regions"), "severity": (alert.get("severity") or "").lower() or None,
         "time": moment(alert.get("effective_utc") or alert.get("onset_utc")),
         "expires": moment(alert.get("ends_utc") or alert.get("expires_utc")),
         "description": alert.get("description") or None, "uri": alert.get("uri") or None}
        for alert in current.get("alerts") or []
    ]
    return answer


# Tomorrow.io: docs.tomorrow.io/reference/weather-data-layers, `units=metric`.


def tomorrow_io(document):
    timelines = document.get("timelines") or {}
    hours = timelines.get("hourly") or [
        interval
        for timeline in get(document, "data", "timelines") or []
        if timeline.get("timestep") == "1h"
        for interval in timeline["intervals"]
    ]

    def total(values, *names):
        rates = [number(values.get(name)) for name in names]
        rates = [rate for rate in rates if rate is not None]
        return sum(rates) if rates else None

    def rate(values):
        parts = total(values, "rainIntensity", "snowIntensity", "freezingRainIntensity", "sleetIntensity")
        return first(number(values.get("precipitationIntensity")), parts)

    def icon(code):
        skies = {1000: "clear", 1100: "clear", 1101: "partly-cloudy", 1102: "partly-cloudy", 1001: "cloudy"}
        groups = {2: "fog", 3: "wind", 4: "rain", 5: "snow", 6: "sleet", 7: "sleet", 8: "thunderstorm"}
        return skies.get(code) or groups.get((code or 0) // 1000)

    def of_hour(hour):
        values = hour["values"]
        return {
            "time": moment(hour.get("time") or hour.get("startTime")),
            "temperature": number(values.get("temperature")),
            "apparentTemperature": number(values.get("temperatureApparent")),
            "dewPoint": number(values.get("dewPoint")),
            "humidity": percent(values.get("humidity")),
            "pressure": number(values.get("pressureSeaLevel")),
            "stationPressure": number(values.get("pressureSurfaceLevel")),
            "windSpeed": number(values.get("windSpeed")),
            "windGust": number(values.get("windGust")),
            "windBearing": number(values.get("windDirection")),
            "cloudCover": percent(values.get("cloudCover")),
            "visibility": number(values.get("visibility")),
            "uvIndex": number(values.get("uvIndex")),
            "precipProbability": percent(values.get("precipitationProbability")),
            "precipIntensity": rate(values),
            "rainIntensity": number(values.get("rainIntensity")),
            "snowIntensity": number(values.get("snowIntensity")),
            "iceIntensity": total(values, "freezingRainIntensity", "sleetIntensity"),
            "icon": icon(values.get("weatherCode")),
        }

    minutes = [
        {"time": moment(minute["time"]), "precipIntensity": rate(minute["values"]),
         "precipProbability": percent(minute["values"].get("precipitationProbability"))}
        for minute in timelines.get("minutely") or []
    ]
    return {"hourly": [of_hour(hour) for hour in hours], "minutely": minutes}


READINGS = {
    "metNorway": met_norway,
    "openWeatherMap": open_weather_map,
    "nws": nws,
    "brightSky": bright_sky,
    "smhi": smhi,
    "visualCrossing": visual_crossing,
    "weatherbit": weatherbit,
    "tomorrowIO": tomorrow_io,
}

# The recorded documents by the part of their name.
OF_RECORDED = {
    "metNorway": "weather_yr.json",
    "openWeatherMap": "weather_*onecall*.json",
    "smhi": "weather_smhi*.json",
}
# The recorded documents that are the parts of one answer.
OF_RECORDED_PARTS = {
    "nws": {"point": "weather_weathergov_points.json", "hours": "weather_weathergov_forecast.json"},
    "weatherbit": {"current": "weather_weatherbit.json", "days": "weather_weatherbit_forecast.json"},
}


def contract(point, is_day):
    """A point with the fields of the contract in place of the amounts in millimetres of water."""
    point = present(point)
    hours = point.pop("period", HOUR) / HOUR
    water = {kind: point.pop(kind) for kind in ("rain", "snow", "ice") if kind in point}
    if is_day:
        # 10 mm of water are 7 cm of snow.
        for kind, field, depth in [("rain", "liquidAccumulation", 0.1), ("snow", "snowAccumulation", 0.7)]:
            if kind in water:
                point.setdefault(field, water[kind] * depth)
    else:
        for kind, amount in water.items():
            point.setdefault(f"{kind}Intensity", amount / hours)
        if water:
            point.setdefault("precipIntensity", sum(water.values()) / hours)
    return point


class Comparison:
    """The differences between the fields that a reading has and an answer."""

    def __init__(self, zone):
        self.zone = zone
        self.differences = []

    def value(self, path, name, expected, found):
        if name in TIMES:
            same = found is not None and moment(found, self.zone) == expected
        elif isinstance(expected, float) or type(expected) is int:
            value = number(found)
            same = value is not None and abs(value - expected) <= max(0.011, abs(expected) / 1000)
        else:
            same = found == expected
        if not same:
            self.differences.append(f"{path}.{name}: {found!r} instead of {expected!r}")

    def point(self, path, expected, found, is_day=False):
        is_light = expected.get("isDay")
        for name, value in contract(expected, is_day).items():
            if name == "isDay":
                continue
            actual = found.get(name)
            if name == "icon":
                base = re.sub("-(day|night)$", "", actual or "")
                if value in OF_DAY_AND_NIGHT and is_light is not None and not is_day:
                    value, base = f"{value}-{'day' if is_light else 'night'}", actual
                actual = base
            self.value(path, name, value, actual)

    def block(self, name, expected, found):
        by_time = {moment(point.get("time"), self.zone): point for point in found}
        for index, point in enumerate(expected):
            path = f"{name}[{index}]"
            if point["time"] in by_time:
                self.point(path, point, by_time[point["time"]], name == "daily")
            else:
                self.differences.append(f"{path}: no point at {point['time']}")

    def answer(self, expected, found):
        for name in ("minutely", "hourly", "daily"):
            self.block(name, expected.get(name) or [], get(found, name, "data") or [])
        if "currently" in expected:
            self.point("currently", expected["currently"], found.get("currently") or {})
        alerts = found.get("alerts") or []
        for index, alert in enumerate(expected.get("alerts") or []):
            for name, value in present(alert).items():
                self.value(f"alerts[{index}]", name, value, get(alerts, index, name))
        return self.differences


def compare(weir, name, kind, path):
    """Returns the differences of a file."""
    command = [weir, "normalize", "--as", name, "--kind", kind, "--units", "si", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return [f"weir fails: {run.stderr.strip()}"]
    found = json.loads(run.stdout)
    return Comparison(found.get("timezone")).answer(READINGS[name](json.loads(path.read_text())), found)


def cases(folder):
    """The files with the mapping and the kind of request of each."""
    for path in sorted(FIXTURES.glob("*.in.json")):
        name, _, form = path.name.removesuffix(".in.json").partition(".")
        if name in READINGS:
            yield name, "past" if form == "past" else "forecast", path
    for name, pattern in OF_RECORDED.items():
        for path in sorted(RECORDED.glob(f"*{pattern}")):
            yield name, "forecast", path
    for name, parts in OF_RECORDED_PARTS.items():
        found = {part: next(RECORDED.glob(f"*{pattern}"), None) for part, pattern in parts.items()}
        if None not in found.values():
            path = folder / f"{name}.json"
            path.write_text(json.dumps({part: json.loads(source.read_text()) for part, source in found.items()}))
            yield name, "forecast", path


def main():
    count = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, kind, path in cases(pathlib.Path(folder)):
            count += 1
            differences = compare(sys.argv[1], name, kind, path)
            failures += bool(differences)
            for difference in differences:
                print(f"mappings: {name}: {path.name}: {difference}")
    print(f"mappings: {count} files compared, {failures} differ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
