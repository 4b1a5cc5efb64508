/** The page without its data. The scripts fill it. */
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
<header class="top">
  <div class="brand">
    <img src="/page/icon.svg" alt="" width="32" height="32">
    <h1>Sandbox</h1>
    <span class="live" id="live"></span>
  </div>
  <section class="clock" aria-labelledby="clock-title">
    <h2 id="clock-title" class="unseen">Clock</h2>
    <p class="now"><time id="now">…</time> <span class="muted">UTC</span></p>
    <p class="muted" id="since"></p>
    <div class="buttons" role="group" aria-label="Advance the clock" id="advance"></div>
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
        <div class="head"><h2 id="shipments-title">Shipments</h2><ul class="legend" id="legend" aria-label="Colours"></ul></div>
        <ul class="shipments" id="shipments"></ul>
        <p class="empty" id="shipments-empty" hidden>No shipments yet. Track a number below, or start a scenario.</p>
        <button class="quiet" id="more" hidden>Show more shipments</button>
      </section>
      <section class="panel" aria-labelledby="tracking-title">
        <div class="head"><h2 id="tracking-title">Track</h2></div>
        <form class="fields" id="track">
          <label>Number <input name="number" required autocomplete="off" spellcheck="false"></label>
          <label>Type <select name="type"><option value="bill_of_lading">Bill of lading</option><option value="booking_number">Booking</option><option value="container">Container</option></select></label>
          <label class="short">SCAC <input name="scac" autocomplete="off" spellcheck="false" maxlength="4"></label>
          <button>Track</button>
        </form>
        <form class="fields" id="scenario">
          <label>Scenario <select name="name" aria-describedby="scenario-says"></select></label>
          <button>Start</button>
        </form>
        <p class="muted small" id="scenario-says"></p>
        <h3 id="tracked-title">Tracking requests</h3>
        <ul class="tracked" id="tracked" aria-labelledby="tracked-title"></ul>
        <p class="empty" id="tracked-empty" hidden>None yet.</p>
      </section>
    </div>
    <div class="column">
      <section class="panel" aria-labelledby="limits-title">
        <div class="head"><h2 id="limits-title">Rate limit</h2></div>
        <div id="limits"></div>
      </section>
      <section class="panel" aria-labelledby="deliveries-title">
        <div class="head"><h2 id="deliveries-title">Deliveries</h2><span class="muted" id="deliveries-count"></span></div>
        <ul class="deliveries scroll" id="deliveries" tabindex="0" aria-labelledby="deliveries-title"></ul>
        <p class="empty" id="deliveries-empty" hidden>Nothing delivered yet. Create a webhook, and advance the clock.</p>
      </section>
      <section class="panel" aria-labelledby="requests-title">
        <div class="head"><h2 id="requests-title">Last requests</h2></div>
        <div class="scroll" tabindex="0" role="group" aria-labelledby="requests-title">
          <table class="requests">
            <thead class="unseen"><tr><th scope="col">Status</th><th scope="col">Request</th><th scope="col">Account</th><th scope="col">Age</th></tr></thead>
            <tbody id="requests"></tbody>
          </table>
        </div>
        <p class="empty" id="requests-empty" hidden>No requests yet.</p>
      </section>
      <section class="panel" aria-labelledby="faults-title">
        <div class="head"><h2 id="faults-title">Faults</h2></div>
        <form class="fields" id="fault">
          <label>Answer <select name="what"></select></label>
          <label>How often <select name="times"><option value="1">Once</option><option value="5">5 times</option><option value="">Until I end it</option></select></label>
          <label>Requests <input name="route" autocomplete="off" spellcheck="false" placeholder="all" aria-describedby="fault-says"></label>
          <button>Add</button>
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
