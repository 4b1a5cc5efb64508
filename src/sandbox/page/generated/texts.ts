// Written by `npm run generate` from src/sandbox/page/browser/. Do not edit.

export const DOCUMENT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Sandbox</title>
    <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/style.css">
    <script type="module" src="/page/main.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the shipments</a>
    <header class="top row">
      <div class="brand row">
        <img src="/page/icon.svg" alt="" width="32" height="32">
        <h1>Sandbox</h1>
        <span class="live small muted" id="live"></span>
      </div>
      <section class="row" aria-labelledby="clock-title">
        <h2 id="clock-title" class="unseen">Clock</h2>
        <p class="now"><time id="now">…</time> <small>UTC</small></p>
        <p class="muted" id="since"></p>
        <div class="buttons row" role="group" aria-label="Advance the clock" id="advance"></div>
      </section>
    </header>
    <noscript><p class="notice">This page needs JavaScript.</p></noscript>
    <p class="notice" id="notice" role="status" hidden></p>
    <p class="said" id="said" role="status"></p>
    <main id="main" tabindex="-1">
      <section class="accounts" aria-labelledby="accounts-title">
        <h2 id="accounts-title" class="unseen">Accounts</h2>
        <ul id="accounts"></ul>
      </section>
      <div class="columns">
        <div class="column">
          <section class="panel" aria-labelledby="shipments-title">
            <div class="head row">
              <h2 id="shipments-title">Shipments</h2>
              <ul class="legend row small muted" id="legend" aria-label="Colours"></ul>
            </div>
            <ul class="shipments" id="shipments"></ul>
            <p class="empty" id="shipments-empty" hidden>
              No shipments yet. Track a number below, or start a scenario.
            </p>
            <button type="button" class="quiet" id="more" hidden>Show more shipments</button>
          </section>
          <section class="panel" aria-labelledby="tracking-title">
            <div class="head row"><h2 id="tracking-title">Track</h2></div>
            <form class="fields row" id="track">
              <label>Number <input name="number" required autocomplete="off" spellcheck="false"></label>
              <label
                >Type
                <select name="type">
                  <option value="bill_of_lading">Bill of lading</option>
                  <option value="booking_number">Booking</option>
                  <option value="container">Container</option>
                </select></label
              >
              <label class="short">SCAC <input name="scac" autocomplete="off" spellcheck="false" maxlength="4"></label>
              <button type="submit">Track</button>
            </form>
            <form class="fields row" id="scenario">
              <label>Scenario <select name="name" aria-describedby="scenario-says"></select></label>
              <button type="submit">Start</button>
            </form>
            <p class="muted small" id="scenario-says"></p>
            <h3 id="tracked-title">Tracking requests</h3>
            <ul class="tracked" id="tracked" aria-labelledby="tracked-title"></ul>
            <p class="empty" id="tracked-empty" hidden>No tracking requests yet.</p>
          </section>
        </div>
        <div class="column">
          <section class="panel" aria-labelledby="limits-title">
            <div class="head row"><h2 id="limits-title">Rate limit</h2></div>
            <div id="limits"></div>
            <p class="empty" id="limits-empty" hidden>There is no rate limit.</p>
          </section>
          <section class="panel" aria-labelledby="deliveries-title">
            <div class="head row">
              <h2 id="deliveries-title">Deliveries</h2>
              <span class="muted" id="deliveries-count"></span>
            </div>
            <ul class="deliveries scroll" id="deliveries" tabindex="0" aria-labelledby="deliveries-title"></ul>
            <p class="empty" id="deliveries-empty" hidden>
              No deliveries yet. Create a webhook, and advance the clock.
            </p>
          </section>
          <section class="panel" aria-labelledby="requests-title">
            <div class="head row"><h2 id="requests-title">Latest requests</h2></div>
            <div class="scroll" tabindex="0" role="group" aria-labelledby="requests-title">
              <table class="requests">
                <thead class="unseen">
                  <tr>
                    <th scope="col">Status</th>
                    <th scope="col">Request</th>
                    <th scope="col">Account</th>
                    <th scope="col">Age</th>
                  </tr>
                </thead>
                <tbody id="requests"></tbody>
              </table>
            </div>
            <p class="empty" id="requests-empty" hidden>No requests yet.</p>
          </section>
          <section class="panel" aria-labelledby="faults-title">
            <div class="head row"><h2 id="faults-title">Faults</h2></div>
            <form class="fields row" id="fault">
              <label>Response <select name="what"></select></label>
              <label
                >How often
                <select name="times">
                  <option value="1">Once</option>
                  <option value="5">5 times</option>
                  <option value="">Until I end it</option>
                </select></label
              >
              <label
                >Requests
                <input
                  name="route"
                  autocomplete="off"
                  spellcheck="false"
                  placeholder="all"
                  aria-describedby="fault-says"
                ></label
              >
              <button type="submit">Add</button>
            </form>
            <p class="muted small" id="fault-says">Requests such as <code>GET /shipments/:id</code></p>
            <ul class="faults" id="faults" aria-labelledby="faults-title"></ul>
            <p class="empty" id="faults-empty" hidden>No fault applies.</p>
          </section>
        </div>
      </div>
    </main>
  </body>
</html>
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect x="4" y="7" width="24" height="13" rx="2" fill="#1f6fb5" />
  <path d="M9 10v7M13 10v7M18 10v7M22 10v7" stroke="#fff" stroke-width="1.8" stroke-linecap="round" />
  <path
    d="M3 25c2.2 0 2.2-1.6 4.4-1.6S9.600 25 11.700 25s2.200-1.600 4.300-1.600S18.200 25 20.300 25s2.200-1.600 4.400-1.600S26.800 25 29 25"
    fill="none"
    stroke="#2f9e8f"
    stroke-width="2.200"
    stroke-linecap="round"
  />
</svg>
`;

export const SCRIPT = `// script/dom.ts
var at = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hourCycle: "h23", ...options });
var dayOnly = at({ day: "numeric", month: "short" });
var dayAndTime = at({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
var everything = at({
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit"
});
var day = (iso) => dayOnly.format(new Date(iso));
var dayTime = (iso) => dayAndTime.format(new Date(iso));
var fullTime = (iso) => everything.format(new Date(iso));
var UNITS = [
  ["d", 864e5],
  ["h", 36e5],
  ["min", 6e4],
  ["s", 1e3]
];
function span(ms, units = 1) {
  const largest = UNITS.findIndex(([, length]) => ms >= length);
  if (largest === -1) return "0 s";
  let left = ms;
  const parts = UNITS.slice(largest, largest + units).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? \`\${count} \${unit}\` : "";
  });
  return parts.filter(Boolean).join(" ");
}
var SHORT = { lfd: "last free day", eta: "ETA", pod: "POD", pol: "POL" };
function words(name) {
  const short = name.replace(/^container\\.(transport\\.|(?=pickup_))/, "");
  const text = short.split(/[._\\s]+/).map((word) => SHORT[word] ?? word).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
var spaced = (name) => words(name.replace(/([A-Z])/g, " $1").toLowerCase());
var plural = (count, one) => \`\${count.toLocaleString("en")} \${one}\${count === 1 ? "" : "s"}\`;
var joined = (...texts) => texts.filter(Boolean).join(" · ");
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === void 0) continue;
    if (name.includes("-") || name === "role") element.setAttribute(name, String(value));
    else Reflect.set(element, name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}
var chip = (kind, text) => el("span", { className: \`chip \${kind}\`, textContent: text });
function byId(id, type = HTMLElement) {
  return within(document, \`#\${id}\`, type);
}
function within(parent, selector, type = HTMLElement) {
  const found = parent.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(\`The page has no \${type.name} at \${selector}.\`);
}
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
function enable(form, isEnabled) {
  for (const tag of ["input", "select", "button"]) {
    for (const field of form.querySelectorAll(tag)) field.disabled = !isEnabled;
  }
}
var lists = /* @__PURE__ */ new WeakMap();
function show(parent, items, keyOf, make) {
  const known = lists.get(parent) ?? /* @__PURE__ */ new Map();
  const shown2 = /* @__PURE__ */ new Map();
  for (const item of items) {
    const key = keyOf(item);
    const data = JSON.stringify(item);
    const before = known.get(key);
    shown2.set(key, before?.data === data ? before : { data, element: make(item, before?.element) });
  }
  for (const [key, { element }] of known) {
    if (shown2.get(key)?.element !== element) element.remove();
  }
  let next = parent.firstElementChild;
  for (const { element } of shown2.values()) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  lists.set(parent, shown2);
  const empty = document.getElementById(\`\${parent.id}-empty\`);
  if (empty !== null) empty.hidden = items.length > 0;
}

// script/accounts.ts
function showAccounts({ accounts, account }, page2) {
  const items = accounts.map((item) => ({ ...item, isShown: item.name === account, isOnly: accounts.length === 1 }));
  show(
    byId("accounts"),
    items,
    ({ name }) => name,
    (item, before) => card(item, before, page2)
  );
}
function card(account, before, page2) {
  const keys = account.keys.join();
  const card2 = before?.dataset.keys === keys ? before : el("li", {}, heading(account, page2));
  card2.dataset.keys = keys;
  card2.className = \`account panel row\${account.isShown ? " shown" : ""}\`;
  if (!account.isOnly) within(card2, "input", HTMLInputElement).checked = account.isShown;
  while (card2.childElementCount > 1) card2.lastElementChild?.remove();
  card2.append(numbers(account.counts), featureList(account.features));
  return card2;
}
function heading({ name, companyName, keys, isOnly }, page2) {
  const company = el("strong", { textContent: companyName });
  const onchange = () => page2.look({ account: name, open: "", shipments: 10 });
  const choice = isOnly ? null : el("input", { type: "radio", name: "account", value: name, onchange });
  const key = el("span", { className: "muted" }, keys.length === 1 ? "Key " : "Keys ");
  for (const [index, text] of keys.entries()) key.append(index > 0 ? ", " : "", el("code", { textContent: text }));
  return el(
    "div",
    { className: "who" },
    choice === null ? company : el("label", { className: "row" }, choice, company),
    key
  );
}
function numbers(counts) {
  const list = el("dl", { className: "numbers row" });
  for (const [name, count] of Object.entries(counts)) {
    const number = el("dd", { textContent: count.toLocaleString("en") });
    list.append(el("div", {}, el("dt", { className: "small muted", textContent: spaced(name) }), number));
  }
  return list;
}
function featureList(features) {
  const list = el("ul", { className: "features row", "aria-label": "Features" });
  for (const [name, isOn] of Object.entries(features)) {
    list.append(
      el("li", { className: \`chip muted \${isOn ? "on" : "off"}\`, textContent: spaced(name) + (isOn ? "" : " off") })
    );
  }
  return list;
}
var STEPS = [
  ["+1 hour", { hours: 1 }],
  ["+6 hours", { hours: 6 }],
  ["+1 day", { days: 1 }],
  ["+1 week", { days: 7 }]
];
function showClock({ clock, mayChange }, page2) {
  const now = byId("now", HTMLTimeElement);
  now.dateTime = clock.now;
  setText(now, fullTime(clock.now));
  const since = Date.parse(clock.now) - Date.parse(clock.startedAt);
  const speed = clock.speed === 0 ? "stands still" : \`runs \${clock.speed}×\`;
  setText(byId("since"), \`\${span(since, 2)} since the start, \${speed}\`);
  const buttons = byId("advance");
  if (buttons.childElementCount === 0) {
    for (const [text, duration] of STEPS) {
      const onclick = () => page2.change("advance", duration);
      buttons.append(el("button", { type: "button", textContent: text, onclick }));
    }
  }
  for (const button of buttons.querySelectorAll("button")) button.disabled = !mayChange;
}
function showLimits({ limits, accounts }) {
  const several = accounts.length > 1;
  const parent = byId("limits");
  const items = limits.map(({ account, apiKey }, index) => ({
    index,
    title: several ? \`\${account} · \${apiKey}\` : apiKey
  }));
  show(parent, items, ({ index }) => index, makeKey);
  for (const [index, list] of parent.querySelectorAll("ul").entries()) {
    show(list, limits[index]?.buckets ?? [], ({ bucket }) => bucket, bar);
  }
}
function makeKey({ title }) {
  return el(
    "div",
    { className: "key" },
    el("h3", { className: "small muted" }, "Key ", el("code", { textContent: title })),
    el("ul")
  );
}
function bar({ bucket, used, limit, freesInMs }, before) {
  const item = before ?? makeBar();
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const free = share >= 1 && freesInMs !== null ? \`, free in \${Math.ceil(freesInMs / 1e3)} s\` : "";
  const meter = within(item, ".meter");
  item.className = share >= 1 ? "full" : share >= 0.8 ? "nearly" : "";
  setText(within(item, ".name"), spaced(bucket));
  setText(within(item, ".count"), \`\${used} / \${limit ?? "∞"}\${free}\`);
  meter.setAttribute("aria-label", spaced(bucket));
  meter.setAttribute("aria-valuemax", String(limit ?? Math.max(used, 1)));
  meter.setAttribute("aria-valuenow", String(used));
  within(meter, "span").style.width = \`\${share * 100}%\`;
  return item;
}
function makeBar() {
  const meter = el("span", { className: "meter", role: "meter", "aria-valuemin": "0" }, el("span"));
  return el("li", {}, el("span", { className: "name" }), meter, el("span", { className: "count small muted" }));
}

// script/activity.ts
var SIGNS = { succeeded: "✓ ", failed: "✕ ", pending: "… " };
function showDeliveries({ deliveries, accounts, account }) {
  const total = accounts.find(({ name }) => name === account)?.counts.notifications ?? 0;
  setText(byId("deliveries-count"), total === 0 ? "" : plural(total, "notification"));
  show(byId("deliveries"), deliveries, ({ id }) => id, deliveryRow);
  byId("deliveries").hidden = deliveries.length === 0;
}
function deliveryRow({
  event,
  url,
  status,
  attempts,
  createdAt,
  lastStatus,
  lastError
}) {
  const answer = lastError ?? (lastStatus === null ? "" : \`HTTP \${lastStatus}\`);
  const about = joined(plural(attempts, "attempt"), answer, url.replace(/^https?:\\/\\//, ""));
  return el(
    "li",
    { className: status },
    chip(status, (SIGNS[status] ?? "") + words(status)),
    el("span", { className: "what", textContent: words(event) }),
    el("time", { className: "small muted", dateTime: createdAt, textContent: dayTime(createdAt) }),
    el("small", { textContent: about })
  );
}
function showRequests({ requests, accounts, mayChange, opened }, page2) {
  const several = accounts.length > 1;
  const body = byId("requests");
  const items = requests.map(({ agoMs: _, ...request }) => ({
    ...request,
    several,
    mayOpen: mayChange,
    opened: opened?.number === request.number ? opened : null
  }));
  show(
    body,
    items,
    ({ number }) => number,
    (item, before) => requestRow(item, before, page2)
  );
  for (const [index, line] of body.querySelectorAll("tr").entries()) {
    const [count = "", unit = ""] = span(requests[index]?.agoMs ?? 0).split(" ");
    setText(within(line, ".age b"), count);
    setText(within(line, ".age span"), unit);
  }
}
function requestRow(item, before, page2) {
  const { number, status, account, several, mayOpen, opened } = item;
  const row2 = before ?? el("tr", {}, el("td"), el("td", { className: "target" }), el("td"), ageCell());
  const [result, target, who] = row2.querySelectorAll("td");
  if (!result || !target || !who) return row2;
  result.className = \`status \${kindOf(status)}\`;
  result.textContent = status === null ? "–" : String(status);
  who.className = "muted who";
  who.textContent = account ?? "no key";
  who.hidden = !several && account !== null;
  if (!mayOpen) {
    target.replaceChildren(pathOf(item));
    return row2;
  }
  const button = target.querySelector("button") ?? el("button", { type: "button" });
  button.ariaExpanded = String(opened !== null);
  button.onclick = () => page2.look({ request: opened === null ? number : 0 });
  button.replaceChildren(pathOf(item));
  if (button.parentElement === null) target.replaceChildren(button);
  target.querySelector(".bodies")?.remove();
  if (opened !== null) target.append(bodiesOf(opened));
  return row2;
}
var ageCell = () => el("td", { className: "muted age" }, el("b"), " ", el("span"));
function pathOf({ method, path, query }) {
  const target = el("span", { className: "path" }, el("b", { textContent: method }), \` \${path}\`);
  if (query !== "") target.append(el("span", { className: "muted", textContent: \`?\${query}\` }));
  return target;
}
function bodiesOf({ request, response }) {
  const part2 = (title, text) => [
    el("p", { className: "small muted", textContent: text === null ? \`\${title}: no JSON\` : title }),
    ...text === null ? [] : [el("pre", { tabIndex: 0, "aria-label": title, role: "region", textContent: indented(text) })]
  ];
  return el(
    "div",
    { className: "bodies" },
    ...part2("Body of the request", request),
    ...part2("Body of the response", response)
  );
}
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
function kindOf(status) {
  if (status === null) return "open";
  if (status < 300) return "fine";
  return status < 500 ? "refused" : "failed";
}

// script/api.ts
var KEPT = "sandbox-token";
var token = null;
var Refusal = class extends Error {
  status;
  constructor(problem, status) {
    super(problem);
    this.status = status;
  }
};
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, "", location.pathname);
  }
  token = sessionStorage.getItem(KEPT);
  return given !== null;
}
function dropToken() {
  sessionStorage.removeItem(KEPT);
  token = null;
}
async function call(path, options = {}) {
  const headers = token === null ? {} : { "x-sandbox-token": token };
  const response = await fetch(path, { ...options, headers, signal: AbortSignal.timeout(1e4) });
  const body = await response.json();
  if (response.ok) return body;
  throw new Refusal(body.error, response.status);
}
async function load({ account, shipments, open, request }) {
  const path = \`/page/data?\${new URLSearchParams({ account, shipments: String(shipments), open, request: String(request) })}\`;
  try {
    return await call(path);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403) || token === null) throw error;
    dropToken();
    return call(path);
  }
}
async function act(name, body) {
  const { done } = await call(\`/page/actions/\${name}\`, { method: "POST", body: JSON.stringify(body) });
  return done;
}

// script/controls.ts
function showTracking({ trackingRequests, scenarios, mayChange, account }, page2) {
  const track = byId("track", HTMLFormElement);
  const scenario = byId("scenario", HTMLFormElement);
  const choice = within(scenario, "select", HTMLSelectElement);
  if (choice.length === 0) {
    for (const { name } of scenarios) {
      choice.append(el("option", { value: name, textContent: words(name.replaceAll("-", " ")) }));
    }
    const describe = () => {
      const chosen = scenarios.find(({ name }) => name === choice.value);
      setText(byId("scenario-says"), chosen?.description ?? "");
    };
    choice.onchange = describe;
    describe();
  }
  track.onsubmit = async (event) => {
    event.preventDefault();
    await page2.change("track", { account, ...Object.fromEntries(new FormData(track)) });
  };
  scenario.onsubmit = async (event) => {
    event.preventDefault();
    await page2.change("scenario", { account, name: choice.value });
  };
  enable(track, mayChange);
  enable(scenario, mayChange);
  show(byId("tracked"), trackingRequests, ({ id }) => id, requestRow2);
}
function requestRow2({ number, scac, status, failedReason, createdAt }) {
  return el(
    "li",
    {},
    chip(status, words(status)),
    el("b", { textContent: number }),
    el("time", { className: "small muted", dateTime: createdAt, textContent: dayTime(createdAt) }),
    el("small", { textContent: joined(scac, failedReason === null ? "" : words(failedReason)) })
  );
}
var CHOICES = [
  ["503 Service Unavailable", { status: 503 }],
  ["500 Internal Server Error", { status: 500 }],
  ["429, retry after 5 s", { retryAfter: 5 }],
  ["401 Unauthorized", { status: 401 }],
  ["Three seconds late", { delayMs: 3e3 }],
  ["Connection dropped before the response", { drop: "before" }],
  ["Connection dropped in the middle of the body", { drop: "mid-body" }]
];
function showFaults({ faults, mayChange }, page2) {
  const form = byId("fault", HTMLFormElement);
  const what = within(form, "[name=what]", HTMLSelectElement);
  if (what.length === 0) {
    for (const [index, [text]] of CHOICES.entries()) {
      what.append(el("option", { value: String(index), textContent: text }));
    }
  }
  form.onsubmit = async (event) => {
    event.preventDefault();
    const route = within(form, "[name=route]", HTMLInputElement).value.trim();
    const times = within(form, "[name=times]", HTMLSelectElement).value;
    const often = times === "" ? { probability: 1 } : { times: Number(times) };
    await page2.change("add-fault", { ...CHOICES[Number(what.value)]?.[1], ...often, ...route !== "" && { route } });
  };
  enable(form, mayChange);
  const items = faults.map((fault) => ({ ...fault, mayChange }));
  show(
    byId("faults"),
    items,
    ({ index }) => index,
    (item, before) => faultRow(item, before, page2)
  );
}
function faultRow({ index, where, what, left, mayChange }, before, page2) {
  const row2 = before ?? makeRow();
  within(row2, "span").textContent = what;
  within(row2, "small").textContent = \`\${where} · \${left === null ? "until it is ended" : plural(left, "more time")}\`;
  const button = within(row2, "button", HTMLButtonElement);
  button.setAttribute("aria-label", \`End the fault \${what}\`);
  button.disabled = !mayChange;
  button.onclick = async () => {
    await page2.change("end-fault", { index });
    within(byId("fault"), "[name=what]").focus();
  };
  return row2;
}
function makeRow() {
  const button = el("button", { type: "button", className: "quiet", textContent: "End" });
  return el("li", {}, el("span", { className: "what" }), el("small"), button);
}

// script/shipments.ts
var KINDS = {
  origin: "Origin",
  sea: "Sea",
  terminal: "Terminal",
  rail: "Rail",
  road: "Road"
};
function showShipments({ shipments, open, clock, account, accounts }, page2) {
  if (byId("legend").childElementCount === 0) byId("legend").append(...legend());
  const total = accounts.find(({ name }) => name === account)?.counts.shipments ?? 0;
  setText(byId("shipments-title"), \`Shipments (\${total.toLocaleString("en")})\`);
  const now = Date.parse(clock.now);
  const items = shipments.map(({ legs, ...shipment }) => ({
    ...shipment,
    legs: legs.map((leg) => shareOf(leg, now)),
    opened: open?.id === shipment.id ? { containers: open.containers, now: clock.now.slice(0, 16) } : null
  }));
  show(
    byId("shipments"),
    items,
    ({ id }) => id,
    (item, before) => row(item, before, page2)
  );
  const more = byId("more");
  more.hidden = shipments.length >= total;
  more.onclick = () => page2.look({ shipments: page2.view.shipments + 20 });
}
function legend() {
  return Object.entries(KINDS).map(
    ([kind, text]) => el("li", {}, el("span", { className: \`swatch \${kind}\`, "aria-hidden": "true" }), text)
  );
}
function shareOf({ kind, from, to }, now) {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const done = Math.min(1, Math.max(0, (now - begin) / (end - begin)));
  return { kind, length: end - begin, done: Math.round(done * 1e3) / 10 };
}
function row(item, before, page2) {
  const row2 = before ?? el("li", {}, el("h3", {}, el("button", { type: "button" })));
  const button = within(row2, "button", HTMLButtonElement);
  const id = \`shipment-\${item.id}\`;
  const isOpen = item.opened !== null;
  row2.className = isOpen ? "open" : "";
  button.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) button.setAttribute("aria-controls", id);
  else button.removeAttribute("aria-controls");
  button.onclick = () => page2.look({ open: isOpen ? "" : item.id });
  button.replaceChildren(...cells(item));
  const detail = row2.querySelector(".detail");
  if (item.opened === null) detail?.remove();
  else if (detail !== null) detail.replaceChildren(...makeTimelines(item.opened));
  else row2.append(el("div", { className: "detail", id }, ...makeTimelines(item.opened)));
  return row2;
}
function cells(shipment) {
  const { number, scac, from, to, arrivesAt, hasArrived, containers, stoppedAt, legs, refNumbers } = shipment;
  const arrival = arrivesAt === null ? "No ETA" : \`\${hasArrived ? "Arrived" : "ETA"} \${day(arrivesAt)}\`;
  const about = joined(scac, ...refNumbers, stoppedAt === null ? "" : "stopped");
  const name = el("b", { textContent: number, title: number });
  const ends = el("span", { className: "ends", textContent: \`\${from} → \${to}\` });
  return [
    el("span", { className: "number" }, name, el("small", { textContent: about })),
    el("span", { className: "route" }, ends, bar2(legs)),
    el("span", { className: "state row" }, ...statuses(containers), el("small", { textContent: arrival }))
  ];
}
function bar2(legs) {
  const bar3 = el("span", { className: "journey", "aria-hidden": "true" });
  for (const { kind, length, done } of legs) {
    const leg = el("span", { className: \`leg \${kind}\` });
    leg.style.flexGrow = String(length / 36e5);
    const fill = el("span");
    fill.style.width = \`\${done}%\`;
    if (done > 0 && done < 100) fill.className = "here";
    leg.append(fill);
    bar3.append(leg);
  }
  return bar3;
}
function statuses(containers) {
  const counts = /* @__PURE__ */ new Map();
  for (const { status: status2 } of containers) counts.set(status2, (counts.get(status2) ?? 0) + 1);
  const [first, ...others] = [...counts].sort((a, b) => b[1] - a[1]);
  if (first === void 0) return [chip("none", "No containers")];
  const [status, count] = first;
  const most = chip(status, words(status) + (count > 1 ? \` × \${count}\` : ""));
  const rest = others.reduce((sum, [, count2]) => sum + count2, 0);
  return rest > 0 ? [most, el("span", { className: "muted small", textContent: \`+ \${rest}\` })] : [most];
}
var PICKUPS = {
  yes: "Can be picked up",
  no: "Cannot be picked up",
  unknown: "Pickup not known"
};
function makeTimelines({ containers, now }) {
  return containers.map(({ number, status, state, entries }) => {
    const isPast = ({ at: at2 }) => at2.slice(0, 16) <= now;
    return el(
      "section",
      { className: "container" },
      el("h4", {}, el("b", { textContent: number }), " ", chip(status, words(status)), " ", pickupOf(state)),
      part("Until now", "past", entries.filter(isPast)),
      part(
        "To come",
        "future",
        entries.filter((entry2) => !isPast(entry2))
      )
    );
  });
}
function pickupOf({ pickup, reasons, holds }) {
  if (reasons.includes("gone") || reasons.includes("not_unloaded")) return null;
  const why = reasons.map(
    (reason) => reason === "hold" ? \`held by \${holds.map(({ name }) => name).join(", ")}\` : words(reason)
  );
  const text = PICKUPS[pickup];
  return el("small", { className: "pickup", textContent: why.length > 0 ? \`\${text}: \${why.join(", ")}\` : text });
}
function part(label, kind, entries) {
  const list = el("ol", { className: \`timeline \${kind}\`, "aria-label": label }, ...entries.map(entry));
  const title = entries.length > 0 ? label : \`\${label}: nothing\`;
  return el("div", {}, el("p", { className: "part small muted", textContent: title }), list);
}
function entry({ event, at: at2, isKnown, place, facility, vessel, value }) {
  const isEstimate = event.startsWith("container.transport.estimated.");
  const happens = el("span", { className: "what", textContent: words(event) });
  if (value !== null) happens.append(el("b", { textContent: \` \${dayTime(value)}\` }));
  return el(
    "li",
    { className: isEstimate ? "estimate" : isKnown ? "known" : "unknown" },
    el("time", { dateTime: at2, textContent: dayTime(at2) }),
    happens,
    el("small", { textContent: joined(place, facility, vessel) })
  );
}

// script/main.ts
var EVERY_MS = 1e3;
var SAID_FOR_MS = 6e3;
var VIEW_ONLY = "This page is read-only. To change something, open the whole address that was printed at the start, with its token.";
var view = { account: "", shipments: 10, open: "", request: 0 };
var shown = null;
var timer = 0;
var sayUntil = 0;
var running = Promise.resolve();
var page = {
  view,
  look(changes) {
    Object.assign(view, changes);
    refresh();
  },
  async change(name, body) {
    try {
      say(await act(name, body), "fine");
    } catch (error) {
      say(messageOf(error), "problem");
    }
    await refresh();
  }
};
var SECTIONS = [
  showClock,
  showAccounts,
  showShipments,
  showLimits,
  showDeliveries,
  showRequests,
  showTracking,
  showFaults
];
function say(text, kind) {
  const said = byId("said");
  said.className = \`said \${kind}\`;
  setText(said, text);
  clearTimeout(sayUntil);
  sayUntil = setTimeout(() => setText(said, ""), SAID_FOR_MS);
}
function refresh() {
  clearTimeout(timer);
  running = running.then(refreshNow);
  return running;
}
async function refreshNow() {
  try {
    const data = await load(view);
    const before = shown;
    shown = data;
    for (const section of SECTIONS) section(data, page);
    tellDeliveries(before, data);
    tellState("live", "Live", data.mayChange ? "" : VIEW_ONLY);
  } catch (error) {
    const notice = error instanceof Refusal ? error.message : "The sandbox does not respond. Trying again …";
    tellState("off", "No response", notice);
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(refresh, EVERY_MS);
}
function tellState(kind, text, notice) {
  const live = byId("live");
  live.className = \`live small muted \${kind}\`;
  setText(live, text);
  setText(byId("notice"), notice);
  byId("notice").hidden = notice === "";
  document.body.classList.toggle("view-only", notice !== "");
}
function tellDeliveries(before, data) {
  if (before === null || before.account !== data.account || data.deliveries.length === 0) return;
  const more = notificationsIn(data, data.account) - notificationsIn(before, data.account);
  if (more <= 0) return;
  const said = (byId("said").textContent ?? "").replace(/ \\d+ new notifications?\\.$/, "");
  say(\`\${said === "" ? "" : \`\${said} \`}\${plural(more, "new notification")}.\`, "fine");
}
function notificationsIn({ accounts }, name) {
  return accounts.find((account) => account.name === name)?.counts.notifications ?? 0;
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
addEventListener("hashchange", () => takeToken() && refresh());
document.addEventListener("visibilitychange", () => !document.hidden && refresh());
takeToken();
refresh();
`;

export const STYLE = `/* style/theme.css */
:root {
  color-scheme: light dark;
  --ground: #f3f5f7;
  --surface: #ffffff;
  --raised: #f7f9fb;
  --line: #dfe4ea;
  --line-strong: #8793a0;
  --text: #16202b;
  --muted: #566473;
  --accent: #0b5fae;
  --on-accent: #ffffff;
  --focus: #0b5fae;
  --good: #146c43;
  --good-ground: #dff3e8;
  --warn: #8a4b00;
  --warn-ground: #fdecd2;
  --bad: #b3261e;
  --bad-ground: #fde4e1;
  --plain-ground: #e9edf1;
  --origin: #9a7b2f;
  --sea: #2277c4;
  --terminal: #7a5fb8;
  --rail: #c26a11;
  --road: #2c8f63;
  --sans:
    system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Helvetica Neue",
    "Noto Sans",
    "DejaVu Sans Condensed",
    sans-serif;
  --mono:
    ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    "Liberation Mono",
    "DejaVu Sans Mono",
    monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1318;
    --surface: #161d24;
    --raised: #1b232c;
    --line: #29333d;
    --line-strong: #6c7a88;
    --text: #e4eaf0;
    --muted: #9dabb8;
    --accent: #6bb3f5;
    --on-accent: #08131d;
    --focus: #8cc6ff;
    --good: #72d3a2;
    --good-ground: #143527;
    --warn: #f3b562;
    --warn-ground: #3b2a10;
    --bad: #ff9b92;
    --bad-ground: #44201d;
    --plain-ground: #25303a;
    --origin: #c2a35a;
    --sea: #4b9fe6;
    --terminal: #a08be0;
    --rail: #e39345;
    --road: #52b98a;
  }
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
html {
  scroll-padding-top: 80px;
  background: var(--ground);
  color: var(--text);
  font: 14px / 1.45 var(--sans);
  -webkit-text-size-adjust: 100%;
}
body {
  margin: 0;
  font-variant-numeric: tabular-nums;
}
h1,
h2,
h3,
h4,
p,
ul,
ol,
dl,
dd {
  margin: 0;
  padding: 0;
}
ul,
ol {
  list-style: none;
}
.row {
  display: flex;
  flex-wrap: wrap;
  gap: 6px 16px;
  align-items: center;
}
h1 {
  font-size: 18px;
  font-weight: 650;
  letter-spacing: -0.01em;
}
h2 {
  font-size: 14px;
  font-weight: 650;
}
h3,
h4 {
  font-size: 13px;
  font-weight: 600;
}
small,
.small {
  font-size: 12px;
}
small,
.muted {
  color: var(--muted);
}
code {
  font: 12px var(--mono);
}
.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
  border-radius: 4px;
}
#main:focus {
  outline: none;
}
@media (prefers-reduced-motion: no-preference) {
  .meter span,
  .leg span {
    transition: width 0.6s ease;
  }
  .shipments h3 button,
  .buttons button {
    transition: background-color 0.15s ease;
  }
  .live.live::before {
    animation: beat 2.4s ease-in-out infinite;
  }
  @keyframes beat {
    50% {
      opacity: 0.35;
    }
  }
}

/* style/layout.css */
.skip {
  position: absolute;
  left: 16px;
  top: -60px;
  z-index: 3;
  padding: 8px 12px;
  background: var(--surface);
  color: var(--accent);
}
.skip:focus {
  top: 12px;
}
.top {
  position: sticky;
  top: 0;
  z-index: 2;
  padding: 12px 24px;
  background: var(--surface);
  border-bottom: 1px solid var(--line);
}
.brand,
.numbers {
  margin-right: auto;
}
.numbers {
  gap: 8px 26px;
}
.now {
  font-size: 18px;
  font-weight: 600;
  letter-spacing: -0.01em;
}
.now small {
  font-weight: 400;
}
main {
  max-width: 1480px;
  margin: 0 auto;
  padding: 16px 24px 40px;
}
.columns,
.column {
  display: grid;
  gap: 16px;
  grid-template-columns: minmax(0, 1fr);
  align-items: start;
}
.panel {
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 12px;
  padding: 14px 16px 16px;
}
.head {
  justify-content: space-between;
  align-items: baseline;
  margin-bottom: 10px;
}
.scroll {
  max-height: 264px;
  overflow: auto;
  margin: 0 -16px -16px;
  padding: 0 16px 14px;
}
.scroll:focus-visible {
  outline-offset: -3px;
  border-radius: 12px;
}
@media (min-width: 1080px) {
  .columns {
    grid-template-columns: minmax(0, 1.65fr) minmax(0, 1fr);
  }
}
@media (max-width: 640px) {
  .top {
    position: static;
    padding: 12px 16px;
  }
  main {
    padding: 12px 12px 32px;
  }
}
.notice {
  max-width: 1432px;
  margin: 12px auto 0;
  padding: 9px 14px;
  border-radius: 8px;
  background: var(--warn-ground);
  color: var(--warn);
}
.said {
  position: fixed;
  right: 24px;
  bottom: 24px;
  z-index: 3;
  max-width: 420px;
  border-radius: 8px;
}
.said:not(:empty) {
  padding: 10px 14px;
  box-shadow: 0 4px 18px rgb(0 0 0 / 0.18);
}
.said.fine {
  background: var(--text);
  color: var(--surface);
}
.said.problem {
  background: var(--bad-ground);
  color: var(--bad);
}

/* style/parts.css */
button,
input,
select {
  font: inherit;
  color: inherit;
}
button {
  padding: 5px 12px;
  border: 1px solid transparent;
  border-radius: 7px;
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 550;
  cursor: pointer;
}
button:hover {
  filter: brightness(1.08);
}
button:disabled {
  background: var(--plain-ground);
  color: var(--muted);
  cursor: not-allowed;
  filter: none;
}
button.quiet {
  background: none;
  border-color: var(--line-strong);
  color: var(--text);
}
button.quiet:disabled {
  color: var(--muted);
  border-color: var(--line);
}
.buttons,
.features {
  gap: 6px;
}
.buttons button:enabled {
  background: color-mix(in srgb, var(--accent) 13%, var(--surface));
  color: var(--accent);
}
#more {
  display: block;
  margin: 14px auto 0;
}
input:not([type=radio]),
select {
  width: 100%;
  padding: 5px 8px;
  border: 1px solid var(--line-strong);
  border-radius: 7px;
  background: var(--surface);
  min-height: 32px;
}
input:disabled,
select:disabled {
  background: var(--raised);
  border-color: var(--line);
  color: var(--muted);
}
.fields {
  gap: 10px;
  align-items: end;
}
.fields + .fields,
.fields + .small {
  margin-top: 10px;
}
.fields label {
  flex: 1 1 96px;
  color: var(--muted);
  font-size: 12px;
}
.fields label > * {
  display: block;
  margin-top: 2px;
  font-size: 14px;
  color: var(--text);
}
#fault label:first-child {
  flex-basis: 190px;
}
.fields .short {
  flex: 0 1 84px;
}
.empty {
  color: var(--muted);
  padding: 6px 0;
}
.empty:empty {
  display: none;
}
.live::before {
  content: "";
  display: inline-block;
  margin-right: 6px;
  width: 8px;
  height: 8px;
  border-radius: 50%;
  background: var(--good);
}
.live.off {
  color: var(--bad);
}
.live.off::before {
  background: none;
  border: 2px solid var(--bad);
}
.accounts {
  margin-bottom: 16px;
}
#accounts {
  display: grid;
  gap: 12px;
}
.account {
  gap: 10px 28px;
}
.account.shown:not(:only-child) {
  border-color: var(--accent);
  box-shadow: inset 3px 0 0 var(--accent);
}
.who {
  display: grid;
  gap: 1px;
  min-width: 150px;
}
.who label {
  cursor: pointer;
}
.numbers div {
  display: flex;
  flex-direction: column-reverse;
}
.numbers dd {
  font-size: 18px;
  font-weight: 600;
  line-height: 1.2;
}
.features li {
  border: 1px solid var(--line-strong);
  background: none;
  font-weight: 400;
}
.features .off {
  text-decoration: line-through;
  border-style: dashed;
}
.chip {
  display: inline-block;
  padding: 1px 9px;
  border-radius: 99px;
  font-size: 12px;
  font-weight: 550;
  white-space: nowrap;
  background: var(--plain-ground);
}
.chip.on_ship,
.chip.on_rail,
.chip.pending {
  background: color-mix(in srgb, var(--sea) 16%, var(--surface));
}
.chip.available,
.chip.succeeded,
.chip.created,
.chip.delivered {
  background: var(--good-ground);
  color: var(--good);
}
.chip.not_available,
.chip.awaiting_manifest {
  background: var(--warn-ground);
  color: var(--warn);
}
.chip.failed {
  background: var(--bad-ground);
  color: var(--bad);
}
.key + .key {
  margin-top: 12px;
  padding-top: 10px;
  border-top: 1px solid var(--line);
}
.key h3 {
  font-weight: 400;
  margin-bottom: 4px;
}
.key li {
  display: grid;
  grid-template-columns: 172px minmax(40px, 1fr) auto;
  gap: 2px 12px;
  font-size: 13px;
  align-items: center;
  min-height: 24px;
}
.count {
  min-width: 62px;
  text-align: right;
}
.meter {
  height: 8px;
  border-radius: 4px;
  background: var(--plain-ground);
  overflow: hidden;
}
.meter span {
  display: block;
  height: 100%;
  border-radius: 4px;
  background: var(--accent);
}
.nearly .meter span {
  background: var(--rail);
}
.full .meter span {
  background:
    repeating-linear-gradient(
      135deg,
      var(--bad) 0 6px,
      color-mix(in srgb, var(--bad) 72%, var(--surface)) 6px 10px);
}
.full .count {
  color: var(--bad);
  font-weight: 600;
}
.deliveries li,
.tracked li,
.faults li {
  display: grid;
  gap: 0 10px;
  align-items: baseline;
  padding: 6px 0;
  border-top: 1px solid var(--line);
}
.deliveries li:first-child {
  border-top: 0;
}
.deliveries li {
  grid-template-columns: 104px minmax(0, 1fr) auto;
}
.tracked li {
  grid-template-columns: 136px minmax(0, 1fr) auto;
}
.deliveries small,
.tracked small {
  grid-column: 2 / -1;
  overflow-wrap: anywhere;
}
.deliveries .chip,
.tracked .chip {
  justify-self: start;
}
.tracked b {
  overflow-wrap: anywhere;
  font-weight: 550;
}
@media (max-width: 640px) {
  .tracked li {
    grid-template-columns: auto minmax(0, 1fr);
  }
  .tracked :is(small, time) {
    grid-row: 2;
    grid-column: 2;
  }
  .tracked time {
    justify-self: end;
  }
}
#tracked-title {
  margin: 16px 0 4px;
}
.faults {
  margin-top: 12px;
}
.faults li {
  grid-template-columns: minmax(0, 1fr) auto;
}
.faults small {
  grid-row: 2;
  overflow-wrap: anywhere;
}
.faults button {
  grid-row: 1 / 3;
  grid-column: 2;
  align-self: center;
}
.requests {
  width: 100%;
  border-collapse: collapse;
  font: 12px / 1.5 var(--mono);
}
.requests td {
  padding: 2px 8px 2px 0;
  vertical-align: top;
}
.requests .target {
  width: 99%;
  overflow-wrap: anywhere;
}
.requests .path b {
  font-weight: 600;
}
.requests .target button {
  padding: 0;
  border-radius: 2px;
  background: none;
  color: inherit;
  font: inherit;
  text-align: left;
  overflow-wrap: anywhere;
}
.requests .target button:hover .path {
  text-decoration: underline;
  text-underline-offset: 3px;
}
.scroll:has(.bodies) {
  max-height: 560px;
}
.bodies {
  padding: 4px 0 8px;
}
.bodies pre {
  max-height: 320px;
  margin: 2px 0 6px;
  padding: 8px 10px;
  border-radius: 8px;
  background: var(--raised);
  overflow: auto;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}
.requests .age {
  padding-right: 0;
  text-align: right;
  white-space: nowrap;
}
.requests .age b {
  font-weight: 400;
}
.requests .age span {
  display: inline-block;
  min-width: 3ch;
  text-align: left;
}
.requests .who {
  white-space: nowrap;
}
.status {
  font-weight: 700;
}
.status.fine {
  color: var(--good);
}
.status.refused {
  color: var(--warn);
}
.status.failed {
  color: var(--bad);
}

/* style/timelines.css */
.legend {
  gap: 2px 14px;
}
.swatch {
  display: inline-block;
  margin-right: 6px;
  vertical-align: middle;
  width: 14px;
  height: 6px;
  border-radius: 3px;
  background: var(--kind);
}
.origin {
  --kind: var(--origin);
}
.sea {
  --kind: var(--sea);
}
.terminal {
  --kind: var(--terminal);
}
.rail {
  --kind: var(--rail);
}
.road {
  --kind: var(--road);
}
.shipments {
  margin: 0 -16px;
}
.shipments > li {
  border-top: 1px solid var(--line);
}
.shipments h3 {
  font: inherit;
}
.shipments h3 button {
  display: grid;
  grid-template-columns: 176px minmax(120px, 1fr) 150px;
  gap: 4px 18px;
  align-items: center;
  width: 100%;
  padding: 9px 16px;
  border-radius: 0;
  background: none;
  color: inherit;
  text-align: left;
  font-weight: 400;
}
.shipments h3 button > * {
  pointer-events: none;
}
.shipments h3 button:hover {
  background: var(--raised);
  filter: none;
}
.shipments h3 button:focus-visible {
  outline-offset: -3px;
  border-radius: 6px;
}
.shipments .open {
  background: var(--raised);
}
.number,
.route {
  display: grid;
  gap: 2px;
  min-width: 0;
}
.number b {
  font-weight: 600;
}
.number b {
  overflow-wrap: anywhere;
}
.number small,
.ends {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.state {
  gap: 2px 6px;
  justify-content: flex-end;
  text-align: right;
}
.state small {
  flex-basis: 100%;
}
.journey {
  display: flex;
  gap: 2px;
  align-items: center;
  height: 14px;
}
.leg {
  position: relative;
  flex: 0 1 0;
  min-width: 7px;
  height: 6px;
  border-radius: 3px;
  background: color-mix(in srgb, var(--kind) 24%, var(--surface));
}
.leg span {
  position: absolute;
  inset: 0 auto 0 0;
  border-radius: 3px;
  background: var(--kind);
}
.leg .here::after {
  content: "";
  position: absolute;
  right: -6px;
  top: -3px;
  width: 12px;
  height: 12px;
  border-radius: 50%;
  background: var(--surface);
  border: 3px solid var(--kind);
}
.detail {
  padding: 2px 16px 16px;
}
.container {
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 8px 24px;
  padding: 10px 0 6px;
}
.container + .container {
  border-top: 1px solid var(--line);
}
.container h4 {
  grid-column: 1 / -1;
}
.part {
  font-weight: 600;
  margin-bottom: 4px;
}
.timeline {
  border-left: 2px solid var(--sea);
  margin-left: 5px;
}
.timeline.future {
  border-left: 2px dashed var(--line-strong);
}
.timeline li {
  position: relative;
  display: grid;
  grid-template-columns: 104px minmax(0, 1fr);
  gap: 0 10px;
  padding: 3px 0 3px 14px;
}
.timeline li::before {
  content: "";
  position: absolute;
  left: -6px;
  top: 9px;
  width: 10px;
  height: 10px;
  border-radius: 50%;
  border: 2px solid var(--sea);
  background: var(--sea);
}
.timeline .unknown::before {
  border-color: var(--line-strong);
  background: var(--raised);
}
.timeline .estimate::before {
  background: var(--raised);
}
.timeline time {
  color: var(--muted);
  font-size: 13px;
}
.timeline small {
  grid-column: 2;
}
.timeline .unknown .what {
  color: var(--muted);
}
@media (max-width: 640px) {
  .shipments h3 button {
    grid-template-columns: auto minmax(0, 1fr);
  }
  .number small {
    width: 0;
    min-width: 100%;
  }
  .route {
    grid-column: 1 / -1;
    grid-row: 2;
  }
  .container {
    grid-template-columns: minmax(0, 1fr);
  }
}
@media (forced-colors: active) {
  .leg,
  .leg span,
  .meter,
  .meter span,
  .swatch {
    forced-color-adjust: none;
  }
}

/* style.css */
`;
