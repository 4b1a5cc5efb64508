/** The journeys of shipments and the timelines of containers. */
export const TIMELINES = `
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 12px; color: var(--muted); }
.legend li { display: inline-flex; align-items: center; gap: 6px; }
.swatch { width: 14px; height: 6px; border-radius: 3px; background: var(--kind); }
.origin { --kind: var(--origin); }
.sea { --kind: var(--sea); }
.terminal { --kind: var(--terminal); }
.rail { --kind: var(--rail); }
.road { --kind: var(--road); }

.shipments { margin: 0 -16px; }
.shipments > li { border-top: 1px solid var(--line); }
.shipments h3 { font: inherit; }
.shipments h3 button {
  display: grid; grid-template-columns: 176px minmax(120px, 1fr) 150px; gap: 4px 18px; align-items: center;
  width: 100%; padding: 9px 16px; border-radius: 0; background: none; color: inherit; text-align: left; font-weight: 400;
}
.shipments h3 button > * { pointer-events: none; }
.shipments h3 button:hover { background: var(--raised); filter: none; }
.shipments h3 button:focus-visible { outline-offset: -3px; border-radius: 6px; }
.shipments .open { background: var(--raised); }
.number, .route { display: grid; gap: 2px; min-width: 0; }
.number b { font-weight: 600; }
.number b, .number small { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ends { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.state { display: flex; flex-wrap: wrap; gap: 2px 6px; align-items: baseline; justify-content: flex-end; text-align: right; }
.state small { flex-basis: 100%; }
.rest { font-size: 12px; }

.journey { display: flex; gap: 2px; align-items: center; height: 14px; }
.leg { position: relative; flex: 0 1 0; min-width: 7px; height: 6px; border-radius: 3px; background: color-mix(in srgb, var(--kind) 24%, var(--surface)); }
.leg span { position: absolute; inset: 0 auto 0 0; border-radius: 3px; background: var(--kind); }
.leg .here::after {
  content: ""; position: absolute; right: -6px; top: -3px; width: 12px; height: 12px; border-radius: 50%;
  background: var(--surface); border: 3px solid var(--kind);
}

.detail { padding: 2px 16px 16px; }
.container { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 24px; padding: 10px 0 6px; }
.container + .container { border-top: 1px solid var(--line); }
.container h4 { grid-column: 1 / -1; }
.part { font-size: 12px; font-weight: 600; color: var(--muted); margin-bottom: 4px; }
.timeline { border-left: 2px solid var(--sea); margin-left: 5px; }
.timeline.future { border-left: 2px dashed var(--line-strong); }
.timeline li { position: relative; display: grid; grid-template-columns: 104px minmax(0, 1fr); gap: 0 10px; padding: 3px 0 3px 14px; }
.timeline li::before {
  content: ""; position: absolute; left: -6px; top: 9px; width: 10px; height: 10px; border-radius: 50%;
  border: 2px solid var(--sea); background: var(--sea);
}
.timeline .unknown::before { border-color: var(--line-strong); background: var(--raised); }
.timeline .estimate::before { background: var(--raised); }
.timeline time { color: var(--muted); font-size: 13px; }
.timeline small { grid-column: 2; }
.timeline .unknown .what { color: var(--muted); }
@media (max-width: 640px) {
  .shipments h3 button { grid-template-columns: minmax(0, 1fr) auto; }
  .route { grid-column: 1 / -1; grid-row: 2; }
  .container { grid-template-columns: minmax(0, 1fr); }
}
@media (forced-colors: active) {
  .leg, .leg span, .meter, .meter span, .swatch { forced-color-adjust: none; }
}
`;
