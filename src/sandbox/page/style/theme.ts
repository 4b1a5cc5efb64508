/** Colours, letters and spaces. Every text has a contrast of at least 4.5 to what is behind it. */
export const THEME = `
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
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans Condensed", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
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
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 80px; background: var(--ground); color: var(--text); font: 14px/1.45 var(--sans); -webkit-text-size-adjust: 100%; }
body { margin: 0; font-variant-numeric: tabular-nums; }
h1, h2, h3, h4, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 18px; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 14px; font-weight: 650; }
h3, h4 { font-size: 13px; font-weight: 600; }
small, .small { font-size: 12px; }
small, .muted { color: var(--muted); }
code { font: 12px var(--mono); }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
#main:focus { outline: none; }
@media (prefers-reduced-motion: no-preference) {
  .meter span, .leg span { transition: width 0.6s ease; }
  .shipments h3 button, .buttons button { transition: background-color 0.15s ease; }
  .live.live::before { animation: beat 2.4s ease-in-out infinite; }
  @keyframes beat { 50% { opacity: 0.35; } }
}
`;
