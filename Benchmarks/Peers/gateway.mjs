// Node: fetches a document (with fetch or with an agent: third argument), parses it, removes values that mean "no value",
// converts to si, writes keys in camelCase. It does not report repairs.
import http from "node:http";

const [port, upstream] = process.argv.slice(2, 4).map(Number);
const byFetch = process.argv[4] === "fetch";
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

const toCelsius = (value) => ((value - 32) * 5) / 9;
const scaled = (scale) => (value) => value * scale;
const conversions = new Map();
const convert = (names, step, places) => {
  const unit = 10 ** places;
  for (const name of names) conversions.set(name, (value) => Math.round(step(value) * unit) / unit);
};
convert(["temperature", "apparentTemperature", "temperatureHigh", "temperatureLow", "temperatureMin", "temperatureMax",
  "apparentTemperatureHigh", "apparentTemperatureLow", "apparentTemperatureMin", "apparentTemperatureMax",
  "dewPoint"], toCelsius, 2);
convert(["windSpeed", "windGust"], scaled(0.44704), 2);
convert(["visibility", "nearestStormDistance"], scaled(1.609344), 2);
convert(["precipIntensity", "precipIntensityMax", "precipIntensityError"], scaled(25.4), 4);
convert(["precipAccumulation"], scaled(2.54), 4);

const spelled = new Map();
function camelCase(key) {
  let name = spelled.get(key);
  if (name === undefined) {
    name = key.replace(/[-_]+([a-zA-Z])/g, (_, letter) => letter.toUpperCase());
    spelled.set(key, name);
  }
  return name;
}

function normalize(value) {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== "object" || value === null) return value;
  const clean = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === null || member === -999 || member === "" || member === "none") continue;
    const step = typeof member === "number" ? conversions.get(key) : undefined;
    clean[camelCase(key)] = step ? step(member) : normalize(member);
  }
  return clean;
}

const path = "/forecast/-/37.8267,-122.4233";

async function byFetching() {
  const answer = await fetch(`http://127.0.0.1:${upstream}${path}`);
  return answer.json();
}

function byAgent(done) {
  http.get({ host: "127.0.0.1", port: upstream, path, agent }, (answer) => {
    const chunks = [];
    answer.on("data", (chunk) => chunks.push(chunk));
    answer.on("end", () => done(JSON.parse(Buffer.concat(chunks).toString())));
  });
}

http.createServer((request, response) => {
  const answer = (document) => {
    const forecast = normalize(document);
    forecast.flags = { ...forecast.flags, units: "si" };
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(forecast));
  };
  if (byFetch) byFetching().then(answer);
  else byAgent(answer);
}).listen(port, "127.0.0.1");
