//! A Dark Sky answer as serde types, with the fields of the contract; absent fields are not written.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    latitude: f64,
    longitude: f64,
    timezone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elevation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currently: Option<DataPoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minutely: Option<DataBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hourly: Option<DataBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    daily: Option<DataBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    day_night: Option<DataBlock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alerts: Option<Vec<Alert>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Flags>,
}

#[derive(Serialize, Deserialize)]
struct DataBlock {
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Vec<DataPoint>>,
}

#[derive(Serialize, Deserialize)]
struct Alert {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Flags {
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", alias = "nearest-station")]
    nearest_station: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DataPoint {
    time: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_storm_distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest_storm_bearing: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sunrise_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sunset_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dawn_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dusk_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moon_phase: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity_max_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_intensity_min_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    precip_accumulation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rain_intensity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snow_intensity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ice_intensity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rain_intensity_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snow_intensity_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ice_intensity_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    liquid_accumulation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snow_accumulation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ice_accumulation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_day_ice: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_day_liquid: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_day_snow: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feels_like: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_high_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_low_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_min_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature_max_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_high: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_high_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_low_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_min_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apparent_temperature_max_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dew_point: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    humidity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pressure: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    station_pressure: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind_speed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind_gust: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind_gust_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wind_bearing: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cloud_cover: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uv_index: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uv_index_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visibility: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ozone: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solar: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solar_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smoke: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smoke_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smoke_max_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fire_index: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fire_index_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fire_index_max_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cape: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cape_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    air_quality_index: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    air_quality_index_max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    air_quality_index_min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    co_concentration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no2_concentration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ozone_concentration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    so2_concentration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pm10: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pm25: Option<f64>,
}
