"""Drives the explorer, the reference and the status page in Debian's Chromium: requests, faults, keyboard, accessibility, hostile content.

    pages.py WEIR SCREENSHOTS [CHECK…]

A scripted upstream sends markup, scripts, URLs with javascript:, characters that hide or reorder text, and 5 MB. Every
text of an upstream or of a configuration must stay text. Pictures of the pages go to the folder SCREENSHOTS.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import axe_playwright_python
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from service import Service

WEIR = os.path.abspath(sys.argv[1])
SCREENSHOTS = pathlib.Path(sys.argv[2])
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The seconds that a page may take for anything, without the time for the answer of the server.
PATIENCE = 1.0
WEATHER = "#weather?lat=37.8267&lon=-122.4233"

SCRIPT = "<script>window.ran=1</script>"
EVIL = SCRIPT + "<img src=x onerror=window.ran=2></textarea></pre>\u202egnp.exe\u202c\u200b\u0007\"'&amp;"
LINK = "javascript:window.ran=3"
BIG = json.dumps({"items": [{"id": i, "text": EVIL + "x" * 100, "url": LINK} for i in range(24_000)]})
FORECAST = {
    "latitude": 1, "longitude": 2, "timezone": EVIL, "flags": {"units": "si", "sources": [EVIL]},
    "currently": {"time": 1767290437, "temperature": 10.9, "summary": EVIL, "icon": EVIL,
                  **{f"{i}.{SCRIPT}": EVIL for i in range(300)}},
    "hourly": {"summary": EVIL, "data": [{"time": 1767290400 + 3600 * i, "temperature": str(i), "summary": EVIL} for i in range(5)]},
    "alerts": [{"title": EVIL, "time": 1767290437, "uri": LINK, "description": EVIL}],
}
STATUS = {
    "id": "1", "created_at": "2026-01-01T18:00:37Z", "content": EVIL.replace("<", "&lt;"), "url": LINK,
    "account": {"id": "2", "acct": "a", "username": "a", "display_name": EVIL, "url": LINK},
    "media_attachments": [{"id": "3", "type": "image", "url": LINK, "description": EVIL}],
}
# Lists and objects whose bytes are not JSON as received: a mark of the byte order, and bytes that are no UTF-8.
DAMAGED = b'\xef\xbb\xbf{"broken_text": "a\xffb", "exact": 9007199254740993123, "same": 1, "same": 2}'


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers by the first segment of the path."""

    def do_GET(self):
        kind = self.path.split("?")[0].split("/")[1]
        # A header field cannot have the characters beyond Latin 1.
        headers = {"Content-Type": "application/json", "X-Evil": SCRIPT}
        status, body = 200, {
            "forecast": FORECAST, "api": STATUS, "evil": {EVIL: EVIL, "url": LINK, "web": "https://example.com/?q=" + SCRIPT},
        }.get(kind)
        if kind == "refused":
            status, body = 403, {"error": EVIL}
        if kind == "failing":
            status, body = 500, {"error": EVIL}
        text = BIG.encode() if kind == "big" else DAMAGED if kind == "damaged" else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


def hostile_configuration(port):
    """A configuration whose own texts are hostile, with parameters of every kind."""
    url = f"http://127.0.0.1:{port}"
    upstream = {"deadlineMilliseconds": 20000, "maximumBytes": 16 << 20}
    route = {"summary": EVIL, "description": EVIL, "tags": [EVIL], "passHeaders": ["X-Evil"], "error": "error"}
    return {
        "listen": "127.0.0.1:0", "server": {"pages": {"showsUpstream": True, "status": True}},
        "upstreams": [
            {"name": "plain", "baseURL": url, **upstream},
            {"name": "failing", "baseURL": url, "retryPercent": 0, "breaker": {"minimumRequests": 2, "openMilliseconds": 30000}},
            {"name": "sky", "dialect": "darkSky", "baseURL": url, "key": {"environment": "WEIR_TEST_KEY"}, **upstream},
            {"name": "social", "dialect": "mastodon", "baseURL": url, **upstream},
        ],
        "weather": {"upstreams": ["sky"]}, "tweets": {"upstreams": ["social"]},
        "routes": [
            {"path": "/" + kind + "/{id}", "name": kind, "fetch": {"upstream": "plain", "path": "/" + kind + "/{id}"}, **route,
             "parameters": {
                 "id": {"type": "string", "description": EVIL, "example": EVIL},
                 "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 5},
                 "ratio": {"type": "number"}, "open": {"type": "boolean"},
                 "word": {"type": "string", "enum": ["a", EVIL, LINK]},
                 "words": {"type": "array", "items": {"type": "string", "enum": ["red", "green"]}},
                 "token": {"type": "string", "header": "X-Token", "description": LINK},
             }}
            for kind in ["evil", "big", "refused", "damaged"]
        ] + [{"path": "/failing", "name": "failing", "error": "error", "fetch": {"upstream": "failing", "path": "/failing"}}],
    }


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # All hosts but loopback are unknown, so that nothing leaves the machine.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
                     "--disable-component-update", "--no-first-run", "--hide-scrollbars", "--lang=en-GB",
                     "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    # The rules of axe-core take long for the whole reference, on a busy machine above all.
    browser.set_script_timeout(180)
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.violations = [];
        addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective + " " + event.blockedURI));
        for (const name of ["alert", "confirm", "prompt", "open"]) window[name] = () => { window.ran = name; };
    """})
    return browser


class Page:
    """A page in the browser, as a reader uses it."""

    def __init__(self, browser, address, path="/", dark=False, width=1280):
        self.browser, self.address = browser, address
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 660 if width == 900 else 900, "deviceScaleFactor": 1, "mobile": False})
        # Another fragment alone would not load the page.
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(address + path)
        if path.startswith("/-/status"):
            self.wait(lambda: self.text("#status") == "Live")
            return
        ready = "#reference section" if path.startswith("/docs") else "#fields .field, #fields:empty"
        self.wait(lambda: self.all(ready) and self.all("#version:not(:empty)"))

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text as scripts see it, without the effect of styles."""
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, condition, seconds=40):
        return WebDriverWait(self.browser, seconds, 0.02).until(lambda _: condition())

    def answer(self, status="200"):
        """Waits for an answer with a status, and returns the seconds that the page itself took for the answer."""
        start = time.monotonic()
        self.wait(lambda: self.text("#status").startswith(status) and self.one("#result").is_displayed())
        return time.monotonic() - start - int(self.text("#status").split(" in ")[1].split(" ms")[0]) / 1000

    def choose(self, route):
        Select(self.one("#route")).select_by_value(route)

    def fill(self, name, value):
        element = self.one(f'[data-field][name="{name}"]')
        if element.tag_name == "select":
            Select(element).select_by_value(value)
        elif element.tag_name == "fieldset":
            for box in element.find_elements(By.TAG_NAME, "input"):
                if box.get_attribute("value") in value.split(","):
                    box.click()
        else:
            element.clear()
            element.send_keys(value)

    def send(self):
        self.run('document.getElementById("status").textContent = ""')
        self.one("#request button").click()

    def fault(self, name):
        element = self.one(f'[data-field][name="{name}"]')
        assert element.get_attribute("aria-invalid") == "true", name
        return self.one("#" + element.get_attribute("aria-describedby").split()[-1]).text

    def check_clean(self, refused=False):
        """Checks that no script ran, that the policy blocked nothing, and that the console is empty.

        With `refused`, the console has the browser's own message on a status from 400.
        """
        assert self.run("return window.ran") is None, "a script ran"
        assert self.run("return violations") == []
        messages = [entry for entry in self.browser.get_log("browser") if not (refused and entry["source"] == "network")]
        assert messages == [], messages
        assert self.all("main script, main img, main iframe, main textarea") == []
        links = self.run("return [...document.links].map(link => link.protocol)")
        assert set(links) <= {"http:", "https:"}, set(links)

    def check_width(self):
        width, inner = self.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert width <= inner, f"{width} pixels in {inner}"

    def check_rules(self):
        """Checks the rules of axe-core."""
        self.run(AXE)
        result = self.browser.execute_async_script(
            "axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then(arguments[1])", RULES)
        found = [f'{v["id"]}: {v["help"]}: {v["nodes"][0]["html"][:200]}' for v in result["violations"]]
        assert found == [], "\n".join(found)

    def picture(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.browser.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


# Each check gets the browser and the addresses of the demo and of the service with hostile content.

def accessibility(browser, demo, hostile):
    for dark in [False, True]:
        for width in [1280, 360]:
            name = f'{"dark" if dark else "light"}-{width}'
            page = Page(browser, demo, "/", dark, width)
            page.check_rules()
            page = Page(browser, demo, "/" + WEATHER, dark, width)
            page.answer()
            page.all("#drift button")[1].click()
            page.run("scrollTo(0, 0)")
            page.check_rules(), page.check_width()
            page.picture(f"explorer-{name}")
            page.run('document.getElementById("repairs").scrollIntoView()')
            page.picture(f"repairs-{name}")
            page.check_clean()
            page = Page(browser, demo, "/#weather?lat=91&lon=x&nothing=1", dark, width)
            page.answer("400")
            page.check_rules(), page.check_width()
            page.picture(f"faults-{name}")
            page = Page(browser, demo, "/#tweet?id=45", dark, width)
            page.answer()
            page.check_rules(), page.check_width()
            page.picture(f"tweet-{name}")
            page = Page(browser, demo, "/docs", dark, width)
            page.check_rules(), page.check_width(), page.check_clean()
            page.picture(f"reference-{name}")
            page = Page(browser, demo, "/-/status", dark, width)
            page.check_rules(), page.check_width(), page.check_clean()
            page.picture(f"status-{name}")


def pictures(browser, demo, hostile):
    """Makes the pictures of docs/pages.md."""
    page = Page(browser, demo, "/" + WEATHER + "&units=us", width=900)
    page.answer()
    page.run('document.getElementById("status").scrollIntoView()')
    page.picture("explorer")
    next(b for b in page.all("#drift button") if "pressure_msl" in b.text).click()
    page.run('document.getElementById("repairs").scrollIntoView()')
    page.picture("repairs")
    Page(browser, demo, "/docs#schema-DataPoint", dark=True, width=900).picture("reference")
    page = Page(browser, demo, "/-/status", width=900)
    page.run("document.querySelectorAll('h2')[1].scrollIntoView()")
    page.picture("status")


def forecast(browser, demo, hostile):
    page = Page(browser, demo)
    routes = [option.get_attribute("value") for option in page.all("#route option")]
    assert {"weather", "tweet", "observation", "stations", "openapi"} <= set(routes), routes
    assert page.one('[name="lat"]').get_attribute("value") == "37.8267"
    assert "From -90 to 90." in page.one("#field-0-hint").text
    for name, value in [("units", "us"), ("exclude", "minutely,flags"), ("dates", "iso8601")]:
        page.fill(name, value)
    page.send()
    page.answer()
    assert browser.current_url.endswith(
        "/#weather?lat=37.8267&lon=-122.4233&units=us&exclude=minutely%2Cflags&dates=iso8601"), browser.current_url
    assert page.text("#facts").count("Weir; fwd=uri-miss") == 1, page.text("#facts")
    # The line runs, and answers the document of the page.
    line = page.text("#curl")
    answer = json.loads(subprocess.run(["sh", "-c", line + " -s"], capture_output=True, check=True).stdout)
    assert "minutely" not in answer and "T" in answer["currently"]["time"], line
    shown = page.run("return [...document.querySelectorAll('#answer .document > ul > li > details > ul > li .key')].map(e => e.textContent)")
    assert shown == list(answer), (shown, list(answer))
    assert page.one("#view svg").get_attribute("aria-label").startswith("Temperature from")
    assert page.one("#upstream").is_displayed() and "hourly_units" in page.text("#upstream")
    # A colleague sees the same.
    again = Page(browser, demo, "/" + browser.current_url.split("/")[-1])
    again.answer()
    assert again.text("#curl") == line
    again.check_clean()


def repairs(browser, demo, hostile):
    page = Page(browser, demo, "/" + WEATHER)
    page.answer()
    button = next(b for b in page.all("#drift button") if "pressure_msl" in b.text)
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert page.text("#upstream .current").startswith("30: -999"), page.text("#upstream .current")
    assert page.text("#upstream .current mark") == "defaulted"
    # A rule of a configured route names the place below the place of the rule around it.
    page = Page(browser, demo, "/#observation?station=KSFO")
    page.answer()
    page.all("#drift button")[0].click()
    assert page.text("#upstream .current") == "2: {2}dropped", page.text("#upstream .current")
    assert "9007199254740993123" in page.text("#answer")
    page.check_clean()


def search(browser, demo, hostile):
    page = Page(browser, demo, "/" + WEATHER)
    page.answer()
    field = page.one("#answer input")
    field.send_keys("windgust" + Keys.ENTER)
    assert page.text("#answer .tools [role=status]").startswith("1 of ")
    assert page.text("#answer .current").startswith("windGust")
    field.send_keys(Keys.ENTER)
    assert page.text("#answer .tools [role=status]").startswith("2 of ")
    page.one("#answer .tools button[aria-pressed]").click()
    assert '"latitude": 37.827' in page.text("#answer pre")
    page.check_clean()


def faults(browser, demo, hostile):
    page = Page(browser, demo)
    for name, value in [("lat", "99"), ("lon", "x"), ("fields", "currently.nothing")]:
        page.fill(name, value)
    page.send()
    page.answer("400")
    assert page.fault("lat") == 'lat must be a number from -90 to 90 degrees, not "99".', page.fault("lat")
    assert 'not "x"' in page.fault("lon") and "nothing" in page.fault("fields")
    assert page.browser.switch_to.active_element.get_attribute("name") == "lat"
    page.fill("lat", "1")
    page.fill("lon", "2")
    page.fill("fields", "currently")
    page.send()
    page.answer()
    assert page.all('[aria-invalid="true"]') == []
    # A fault that no field has stands above the button.
    page = Page(browser, demo, "/#tweet?id=!!")
    page.answer("400")
    assert "id must be" in page.fault("id")
    page.fill("id", "")
    page.send()
    assert page.fault("id") == "id must not be empty."
    page.check_clean(refused=True)


def parameters(browser, demo, hostile):
    page = Page(browser, hostile)
    page.choose("evil")
    for name, value in [("id", "a/b ?'"), ("count", "7"), ("ratio", "0.5"), ("open", "true"), ("word", "a"),
                        ("words", "red,green"), ("X-Token", "it's")]:
        page.fill(name, value)
    page.send()
    page.answer()
    line = page.text("#curl")
    assert "/evil/a%2Fb%20%3F%27?count=7&open=true&ratio=0.5&word=a&words=red%2Cgreen" in line, line
    assert "-H 'X-Token: it'\\''s'" in line, line
    assert subprocess.run(["sh", "-c", line + " -s"], capture_output=True, check=True).stdout.startswith(b"{")
    page.fill("count", "0")
    page.send()
    page.answer("400")
    assert "count must be" in page.fault("count")
    page.check_clean(refused=True)


def keyboard(browser, demo, hostile):
    page = Page(browser, demo)

    def press(*keys):
        for key in keys:
            webdriver.ActionChains(browser).send_keys(key).perform()

    def tab_to(condition):
        for _ in range(80):
            press(Keys.TAB)
            focused = browser.switch_to.active_element
            if condition(focused):
                assert page.run("return getComputedStyle(arguments[0]).outlineStyle", focused) != "none", "no focus to see"
                return focused
        raise AssertionError("the key Tab does not lead there")

    press(Keys.TAB)
    assert "skip" in browser.switch_to.active_element.get_attribute("class")
    press(Keys.ENTER)
    tab_to(lambda e: e.get_attribute("id") == "route")
    press("/", "t", "w")
    page.wait(lambda: page.all('[name="id"]'))
    tab_to(lambda e: e.get_attribute("name") == "id")
    press(Keys.END, *[Keys.BACKSPACE] * 8, "4", "5", Keys.ENTER)
    page.answer()
    tab_to(lambda e: e.find_elements(By.XPATH, "ancestor::ol[@id='drift']"))
    press(Keys.ENTER)
    assert page.text("#upstream .current").startswith("followers_count"), page.text("#upstream .current")
    tab_to(lambda e: e.tag_name == "summary" and e.find_elements(By.XPATH, "ancestor::section[@id='answer']"))
    before = len(page.all("#answer li"))
    press(Keys.ENTER)
    page.wait(lambda: not page.one("#answer details").get_attribute("open"))
    press(Keys.ENTER)
    page.wait(lambda: page.one("#answer details").get_attribute("open"))
    assert len(page.all("#answer li")) == before
    page.check_clean()


def content(browser, demo, hostile):
    """Hostile texts of the upstream and of the configuration stay text."""
    for target, status in [("weather?lat=1&lon=2", "200"), ("tweet?id=1", "200"), ("evil?id=1&word=" + SCRIPT, "400"),
                           ("evil?id=1", "200"), ("refused?id=1", "502"), ("evil?" + SCRIPT + "=1", "200")]:
        page = Page(browser, hostile, "/#" + target)
        if target.startswith("evil?<"):
            page.wait(lambda: "must not be empty" in page.text("#fields"))
        else:
            seconds = page.answer(status)
            assert seconds < PATIENCE, (target, seconds)
            for panel in ["#answer", "#upstream"] if status == "200" else []:
                button = page.one(panel + " .tools button[aria-pressed]")
                button.click()
                assert SCRIPT in page.text(panel + " .document"), (target, panel)
                button.click()
        texts = page.run("return document.body.textContent")
        assert not set(texts) & set("\u202e\u202c\u200b\u0007"), target
        if target.startswith("weather"):
            assert len(page.all("#drift button")) == 256, len(page.all("#drift button"))
            assert page.text("#drift li:last-child").endswith(" more, which the report only counts")
            start = time.monotonic()
            page.all("#drift button")[255].click()
            assert time.monotonic() - start < PATIENCE and page.all("#upstream .current")
        page.check_clean(refused=status != "200")
        page.check_rules(), page.check_width()
    page = Page(browser, hostile, "/docs")
    assert SCRIPT in page.text("#reference"), "reference"
    page.check_clean(), page.check_rules()
    assert SCRIPT in Page(browser, hostile, "/#evil?id=1").text("#summary")


def received(browser, demo, hostile):
    """A document that is no JSON as received shows as the values that were read."""
    page = Page(browser, hostile, "/#damaged?id=1")
    page.answer()
    assert "a\ufffdb" in page.text("#upstream") and "9007199254740993123" in page.text("#upstream")
    with urllib.request.urlopen(hostile + "/damaged/1?explain=raw") as response:
        assert json.load(response)["upstream"]["exact"] == 9007199254740993123
    page.check_clean()


def large(browser, demo, hostile):
    """A document of 5 MB: each step of a reader is answered within a second."""
    assert len(BIG) > 5_000_000, len(BIG)
    page = Page(browser, hostile)
    page.choose("big")
    page.fill("id", "1")
    page.send()
    spans = {"answer": page.answer()}

    def timed(name, action, condition):
        start = time.monotonic()
        action()
        page.wait(condition)
        spans[name] = time.monotonic() - start

    timed("open", page.one("#answer details details > summary").click, lambda: len(page.all("#answer details details li")) == 120)
    timed("open range", page.one("#answer details details details > summary").click,
          lambda: len(page.all("#answer details details details li")) == 200)
    page.one("#answer input").send_keys("23999")
    timed("search", lambda: page.one("#answer input").send_keys(Keys.ENTER), lambda: page.all("#answer .current"))
    timed("text", page.one("#answer .tools button[aria-pressed]").click, lambda: page.all("#answer pre"))
    timed("type", lambda: page.fill("count", "3"), lambda: True)
    assert len(page.all("#answer *")) < 2000
    page.check_clean()
    print("pages: 5 MB: " + ", ".join(f"{name} {1000 * seconds:.0f} ms" for name, seconds in spans.items()))
    slow = {name: seconds for name, seconds in spans.items() if seconds > PATIENCE}
    assert not slow, slow


def status(browser, demo, hostile):
    """The status page shows an open breaker within two seconds, and hostile texts as text; a reader can stop it."""
    def row(name):
        return page.run("""
            const row = [...document.querySelectorAll("tbody tr")].find(row => row.cells[0].textContent === arguments[0]);
            return row ? [...row.cells].map(cell => cell.textContent).join(" | ") : "";""", name)

    page = Page(browser, hostile, "/-/status")
    assert "open" not in row("failing"), row("failing")
    for _ in range(3):
        try:
            urllib.request.urlopen(hostile + "/failing")
        except urllib.error.HTTPError as error:
            assert error.code in (502, 503), error
    start = time.monotonic()
    page.wait(lambda: "open It is asked again in" in row("failing"))
    assert time.monotonic() - start < 2, time.monotonic() - start
    assert SCRIPT in row("failing") and "\\u202egnp" in row("failing"), row("failing")
    assert row("failing: 500").endswith(" | 2"), row("failing: 500")
    assert not set(page.run("return document.body.textContent")) & set("\u202e\u202c\u200b\u0007")
    page.check_clean(), page.check_rules(), page.check_width()
    page.one("#pause").click()
    page.wait(lambda: page.text("#status") == "Paused")
    before = row("time of the figures")
    page.run("document.activeElement.blur()")
    time.sleep(1.5)
    assert row("time of the figures") == before
    page.one("#pause").click()
    page.wait(lambda: page.text("#status") == "Live" and row("time of the figures") != before)
    page.check_clean()
    # The explorer leads to the page.
    page = Page(browser, hostile)
    page.one("header nav a[href='-/status']").click()
    page.wait(lambda: page.all("#status") and page.text("#status") == "Live")


CHECKS = [forecast, repairs, search, faults, parameters, keyboard, content, received, large, status, pictures, accessibility]


def main():
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    chosen = [check for check in CHECKS if not sys.argv[3:] or check.__name__ in sys.argv[3:]]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "weir.json")
        with open(file, "w") as output:
            json.dump(hostile_configuration(upstream.server_port), output)
        services = [
            Service(WEIR, "--config", each, environment={"WEIR_TEST_KEY": "a-key-of-the-test"})
            for each in ("Config/demo.json", file)]
        with services[0] as first, services[1] as second:
            demo, hostile = f"http://{first.address}", f"http://{second.address}"
            browser = open_browser()
            try:
                for check in chosen:
                    try:
                        check(browser, demo, hostile)
                    except Exception as error:
                        failed += 1
                        line = error.__traceback__
                        while line.tb_next and line.tb_next.tb_frame.f_code.co_filename == __file__:
                            line = line.tb_next
                        print(f"pages: {check.__name__} fails in line {line.tb_lineno}: {type(error).__name__}: {error}")
                        browser.save_screenshot(str(SCREENSHOTS / f"failed-{check.__name__}.png"))
            finally:
                browser.quit()
    print(f"pages: {len(chosen) - failed} of {len(chosen)} checks pass")
    sys.exit(1 if failed else 0)


main()
