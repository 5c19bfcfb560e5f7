// Opens the built site in Chromium: no page is wider than the screen, no address is missing, no accessibility rule of
// axe is broken, and searches find their pages. In `npm run ok` some pages in all forms and all in one; with
// --all, as in `npm run nightly`, all. --only=/api/,/docs/faq only these pages --shots=folder keeps a picture of the
// first screen of each page that is checked in all forms
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { install } from "../build/install.js";
import { searches } from "./lib/searches.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "docs/dist");
const tools = join(root, "tests/openapi/");
const requireTool = createRequire(`${tools}package.json`);
const browserPath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));
const { values: options } = parseArgs({
  options: { all: { type: "boolean" }, shots: { type: "string" }, only: { type: "string" } },
});

const forms = {
  light: { colorScheme: "light", width: 1280, height: 900 },
  dark: { colorScheme: "dark", width: 1280, height: 900 },
  phone: { colorScheme: "light", width: 360, height: 740 },
  "dark phone": { colorScheme: "dark", width: 360, height: 740 },
};

/** Pages of each kind: the start page, prose, options, figures, drawings, tabs, the reference. */
const some = [
  "/",
  "/docs/getting-started",
  "/docs/how-it-works",
  "/docs/semantics",
  "/docs/benchmarks",
  "/docs/recipes/websocket",
  "/docs/middleware/cookies",
  "/api/",
  "/api/middleware/cors",
];

/** Every tenth query of the search: site-search.js tries all of them, without a browser. */
const searched = Object.entries(searches).filter((_, at) => at % 10 === 0);

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves the site as a server of static files that knows clean URLs does. */
function serveSite() {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(dist, decodeURIComponent(pathname));
    const file = [path, `${path}.html`, join(path, "index.html")].find(
      (one) => existsSync(one) && statSync(one).isFile(),
    );
    response.writeHead(file === undefined ? 404 : 200, {
      "Content-Type": types[extname(file ?? ".html")] ?? "application/octet-stream",
    });
    response.end(readFileSync(file ?? join(dist, "404.html")));
  });
}

function pagesOfSite() {
  const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".html") && file !== "404.html");
  return files.map((file) => `/${file.replaceAll("\\", "/").replace(/(?:\bindex)?\.html$/, "")}`);
}

if (browserPath === undefined) {
  console.log("site: not opened in a browser: there is no Chromium; install one, or name it by CHROMIUM");
} else if (!existsSync(join(dist, "index.html"))) {
  console.error('site: docs/dist does not exist; run "npm run docs" first');
  process.exitCode = 1;
} else {
  await checkSite();
}

async function checkSite() {
  install(tools, "the browser's tools");
  const server = serveSite().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const { chromium } = requireTool("playwright-core");
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const axe = readFileSync(requireTool.resolve("axe-core/axe.min.js"), "utf8");
  let faults = 0;
  /** Says a fault at once: all pages in all forms take minutes. */
  const fault = (text) => {
    faults++;
    console.error(text);
  };
  const only = options.only?.split(",");
  const pages = pagesOfSite().filter((page) => only?.includes(page) ?? true);
  const full = options.all ? pages : pages.filter((page) => some.includes(page));
  // Records of decisions are all alike: they are left to --all.
  const narrow = options.all ? pages : pages.filter((page) => !page.startsWith("/decisions/"));
  for (const missing of (only ?? some).filter((page) => !pages.includes(page))) fault(`${missing} is not on the site`);
  try {
    await Promise.all(
      Object.entries(forms).map(async ([form, { colorScheme, width, height }]) => {
        const tab = await openTab(browser, origin, { colorScheme, viewport: { width, height } }, fault);
        for (const page of form === "phone" ? narrow : full) {
          await tab.goto(page);
          for (const found of await widthFaults(tab.page)) fault(`${page}, ${form}: ${found}`);
          if (!full.includes(page)) continue;
          for (const found of await axeFaults(tab.page, axe)) fault(`${page}, ${form}: ${found}`);
          if (options.shots !== undefined) await shoot(tab.page, page, form);
        }
        await tab.page.close();
      }),
    );
    if (only === undefined) for (const found of await searchFaults(browser, origin)) fault(found);
  } finally {
    await browser.close();
    server.close();
  }
  const count = only === undefined ? searched.length : 0;
  console.log(
    `site: ${narrow.length} pages opened, ${full.length} in ${Object.keys(forms).length} forms, ${count} searches, ` +
      `${faults} faults`,
  );
  process.exitCode = faults === 0 ? 0 : 1;
}

/** A tab that notes what fails: addresses that are missing, errors of scripts. */
async function openTab(browser, origin, how, fault) {
  const page = await browser.newPage(how);
  let path = "";
  page.on("response", (response) => {
    if (response.status() >= 400) fault(`${path}: ${response.status()} ${response.url().replace(origin, "")}`);
  });
  page.on("pageerror", (error) => fault(`${path}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") fault(`${path}: ${message.text()}`);
  });
  const goto = async (next) => {
    path = next;
    await page.goto(`${origin}${next}`, { waitUntil: "load" });
  };
  return { page, goto };
}

/** What makes a page wider than the screen, or is cut off at its edge where nothing scrolls. */
function widthFaults(page) {
  return page.evaluate(() => {
    const faults = [];
    if (document.documentElement.scrollWidth > window.innerWidth) faults.push("the page is wider than the screen");
    for (const element of document.querySelectorAll("#VPContent *")) {
      const { right, left, width } = element.getBoundingClientRect();
      if (width === 0 || (right <= window.innerWidth + 1 && left >= -1)) continue;
      let parent = element.parentElement;
      let scrolls = false;
      for (; parent !== null && !scrolls; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        scrolls = /auto|scroll/.test(style.overflowX) || style.position === "fixed" || style.clipPath !== "none";
      }
      if (!scrolls && getComputedStyle(element).position !== "fixed")
        faults.push(`clipped: ${element.outerHTML.slice(0, 120)}`);
    }
    return faults.slice(0, 3);
  });
}

async function axeFaults(page, axe) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(
    ({ id, nodes }) =>
      `axe ${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 160)} ` +
      `${nodes[0].failureSummary.slice(0, 220).replace(/\s+/g, " ")}`,
  );
}

async function searchFaults(browser, origin) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(origin);
  // The page listens to keys a moment after it is shown.
  for (let tries = 0; tries < 60 && (await page.$("#localsearch-input")) === null; tries++) {
    await page.keyboard.press("Control+k");
    await page.waitForTimeout(500);
  }
  const faults = [];
  for (const [words, pages] of searched) {
    await page.fill("#localsearch-input", words);
    const isOne = (link) => pages.some((name) => link.split("#")[0] === `/docs/${name}`);
    // The list follows the input after a moment, later on a machine with other work.
    let found = [];
    for (let tries = 0; tries < 20 && !found.some(isOne); tries++) {
      await page.waitForTimeout(350);
      const links = await page.$$eval(".VPLocalSearchBox a.result", (all) =>
        all.map((one) => one.getAttribute("href")),
      );
      found = links.slice(0, 3);
    }
    if (!found.some(isOne)) faults.push(`search "${words}": finds ${found}, not ${pages}`);
  }
  await page.close();
  return faults;
}

async function shoot(page, path, form) {
  mkdirSync(options.shots, { recursive: true });
  const name = `${path.replaceAll("/", "-").replace(/^-|-$/g, "") || "start"} ${form}`.replaceAll(" ", "-");
  await page.screenshot({ path: join(options.shots, `${name}.png`) });
}
