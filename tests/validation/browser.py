"""Opens a page in headless Chromium, at several widths of its window, and measures what a reader sees. Chromium's driver waits for the page, however long that takes on a slow machine."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import urllib.request

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
LIMIT = 300   # [s] for what the driver is asked for once, which takes a few seconds at most
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND"]
OWN = ("data:", "blob:", "chrome:", "chrome-untrusted:", "chrome-extension:", "devtools:")   # addresses in the page or in the browser itself

MEASURE = """
const done = arguments[arguments.length - 1], page = document.documentElement;
Promise.all([...document.images].map(picture => picture.decode().catch(() => {}))).then(() => {
  const parts = [...document.querySelectorAll("h1, h2, p, img, svg, video, div.wide, pre")];
  done({
    inner: page.clientWidth,
    scroll: Math.max(page.scrollWidth, document.body.scrollWidth),
    broad: parts.filter(part => part.getBoundingClientRect().right > page.clientWidth + 1).map(part => part.tagName),
    pictures: [...document.images].map(picture => [picture.alt, picture.naturalWidth, picture.getBoundingClientRect().width]),
    plots: [...document.querySelectorAll("svg")].map(plot => plot.getBoundingClientRect().width),
    tables: [...document.querySelectorAll("table")].map(table => [table.rows.length, table.getBoundingClientRect().height]),
    font: parseFloat(getComputedStyle(document.body).fontSize),
  });
});
"""


class Browser:
    """One Chromium, driven by the W3C's WebDriver protocol."""

    def __init__(self, driver, profile):
        self.port = self.announced_port(driver)
        options = {"binary": CHROMIUM, "args": [*ARGUMENTS, f"--user-data-dir={profile}"]}
        logs = {"browser": "ALL", "performance": "ALL"}
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs}}})
        self.path = f"/session/{session['sessionId']}"
        self.ask("POST", f"{self.path}/timeouts", {"script": 1000 * LIMIT, "pageLoad": 1000 * LIMIT})

    @staticmethod
    def announced_port(driver):
        for line in driver.stdout:
            if "started successfully on port" in line:
                return line.rsplit("port ", 1)[1].strip().rstrip(".")
        raise RuntimeError("chromedriver did not start")

    def ask(self, method, path, contents=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method, data=None if contents is None else json.dumps(contents).encode())
        with urllib.request.urlopen(request, timeout=2 * LIMIT) as answer:
            return json.load(answer)["value"]

    def log(self, kind):
        return self.ask("POST", f"{self.path}/se/log", {"type": kind})

    def look_at(self, page, width):
        """What the page shows at this width, with the addresses that were asked for and the lines on the console."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.ask("POST", f"{self.path}/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": size})
        self.ask("POST", f"{self.path}/url", {"url": page.as_uri()})
        figures = self.ask("POST", f"{self.path}/execute/async", {"script": MEASURE, "args": []})
        figures["console"] = [entry["message"] for entry in self.log("browser")]
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        addresses = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        figures["requests"] = sorted(address for address in addresses if not address.startswith(OWN) and address != page.as_uri())
        return figures


def look_at(page, widths):
    """{width: what `page`, a path, shows in a window that wide [px]}"""
    with contextlib.ExitStack() as stack:
        profile = pathlib.Path(tempfile.mkdtemp(prefix="traction-test-"))
        stack.callback(shutil.rmtree, profile, ignore_errors=True)
        driver = stack.enter_context(subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        stack.callback(driver.terminate)
        browser = Browser(driver, profile)
        stack.callback(browser.ask, "DELETE", browser.path)
        return {width: browser.look_at(page, width) for width in widths}


def faults(shown):
    """Sentences on what a reader would find wrong."""
    found = []
    for width, figures in shown.items():
        found += [f"console: {line}" for line in figures["console"]]
        if figures["scroll"] > figures["inner"]:
            found.append(f"at {width} px the page is {figures['scroll']} px wide")
        found += [f"{tag} ends beyond the window of {width} px" for tag in figures["broad"]]
        found += [f"request to {name}" for name in figures["requests"]]
        found += [f"the picture '{name}' is not shown" for name, natural, seen in figures["pictures"] if natural == 0 or seen == 0]
        found += ["a plot is not shown" for seen in figures["plots"] if seen < 200]
        found += ["a table is empty" for rows, height in figures["tables"] if rows == 0 or height == 0]
        if figures["font"] < 12:
            found.append(f"letters of {figures['font']} px are too small")
    return found
