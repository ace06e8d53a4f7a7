"use strict";
// A forecast as a chart and tweets as cards.

const mostHours = 48, mostCards = 20;

/** Returns elements that show an answer to people; none for an answer of another kind. */
function viewsOf(data, api) {
  const hours = follow(data, "hourly", "data");
  if (Array.isArray(hours)) return [chart(data, hours.slice(0, mostHours), api)].filter(Boolean);
  const tweets = Array.isArray(data) ? data : follow(data, "statuses") ?? [data];
  if (!Array.isArray(tweets)) return [];
  return tweets.filter(tweet => stringOf(follow(tweet, "fullText")) !== undefined).slice(0, mostCards).map(card);
}

function shape(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A date in seconds or as text, in milliseconds; undefined for another value. */
function milliseconds(value) {
  const time = value instanceof JSONNumber ? Number(value.text) * 1000 : Date.parse(stringOf(value));
  return Number.isFinite(time) && Math.abs(time) < 8e15 ? time : undefined;
}

/** Temperatures as a line over bars of precipitation. */
function chart(data, hours, api) {
  const [width, height, left, bottom] = [Math.max(280, Math.min(900, byID("view").clientWidth || 900)), 220, 44, 24];
  const points = hours.map(hour => ({
    time: milliseconds(follow(hour, "time")), temperature: numberOf(follow(hour, "temperature")),
    rain: numberOf(follow(hour, "precipIntensity")),
  })).filter(point => point.time !== undefined);
  const temperatures = points.map(point => point.temperature).filter(Number.isFinite);
  if (temperatures.length < 2) return undefined;
  const [least, greatest] = [Math.min(...temperatures), Math.max(...temperatures)];
  const mostRain = Math.max(0, ...points.map(point => point.rain).filter(Number.isFinite));
  const system = stringOf(follow(data, "flags", "units"));
  const unit = name => visible(api.components?.schemas?.DataPoint?.properties?.[name]?.["x-units"]?.[system] ?? "");
  const x = i => left + i / (points.length - 1) * (width - left - 12);
  const y = t => 14 + (greatest - t) / (greatest - least || 1) * (height - bottom - 34);
  const zone = stringOf(follow(data, "timezone"));
  const clock = options => {
    try {
      return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
    } catch {
      return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
    }
  };
  const label = clock({ weekday: "short", hour: "2-digit", minute: "2-digit" });
  const texts = `Temperature from ${least} to ${greatest} ${unit("temperature")}, precipitation up to ` +
    `${mostRain} ${unit("precipIntensity")}, in ${points.length} hours`;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": texts });
  const bar = Math.max(2, (width - left) / points.length - 2);
  points.forEach((point, i) => {
    if (!(point.rain > 0)) return;
    const tall = Math.max(1, point.rain / mostRain * (height - bottom) / 3);
    svg.append(shape("rect", { class: "rain", x: x(i) - bar / 2, y: height - bottom - tall, width: bar, height: tall }));
  });
  // A point without a temperature interrupts the line.
  let path = "", isOpen = false;
  points.forEach((point, i) => {
    const isKnown = Number.isFinite(point.temperature);
    if (isKnown) path += `${isOpen ? "L" : "M"}${x(i).toFixed(1)} ${y(point.temperature).toFixed(1)}`;
    isOpen = isKnown;
  });
  svg.append(shape("path", { class: "temperature", d: path }));
  for (const value of new Set([least, greatest])) {
    svg.append(shape("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, `${value}`));
  }
  const labels = Math.max(2, Math.floor(width / 110)), step = Math.ceil(points.length / labels);
  for (let i = 0; i < points.length; i += step) {
    svg.append(shape("text", { x: x(i), y: height - 6, "text-anchor": i === 0 ? "start" : i + step / 2 < points.length - 1 ? "middle" : "end" }, label.format(points[i].time)));
  }
  return make("figure", null, svg, make("figcaption", null, texts + "."));
}

/** A tweet; pictures of other hosts are links. */
function card(tweet) {
  const text = (...steps) => stringOf(follow(tweet, ...steps));
  const counts = [["retweetCount", "retweets"], ["favoriteCount", "likes"], ["replyCount", "replies"]]
    .map(([key, label]) => [numberOf(follow(tweet, key)), label]).filter(([count]) => count !== undefined)
    .map(([count, label]) => `${count} ${label}`).join(", ");
  const media = (childrenOf(follow(tweet, "media")) ?? []).slice(0, 4).map(item => make("li", null,
    linked(stringOf(follow(item, "url")) ?? "", readable(stringOf(follow(item, "altText")) || stringOf(follow(item, "type")) || "media"))));
  return make("article", { class: "card", "aria-label": "Tweet" },
    make("p", { class: "author" }, make("bdi", null, make("b", null, readable(text("user", "name") ?? "Unknown author"))), " ",
      make("bdi", null, text("user", "screenName") === undefined ? "" : "@" + visible(text("user", "screenName")))),
    make("p", { class: "words", dir: "auto" }, readable(text("fullText"))),
    media.length ? make("ul", null, media) : null,
    make("p", { class: "hint" }, visible(scalarText(follow(tweet, "createdAt") ?? "").replace(/^"|"$/g, "")), counts && ` · ${counts}`,
      text("url") && [" · ", linked(text("url"))]));
}
