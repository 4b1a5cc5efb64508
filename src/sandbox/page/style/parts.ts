/** How accounts, bars, lists, logs and forms look. */
export const PARTS = `
button, input, select { font: inherit; color: inherit; }
button {
  padding: 5px 12px; border: 1px solid transparent; border-radius: 7px; background: var(--accent); color: var(--on-accent);
  font-weight: 550; cursor: pointer;
}
button:hover { filter: brightness(1.08); }
button:disabled { background: var(--plain-ground); color: var(--muted); cursor: not-allowed; filter: none; }
button.quiet { background: none; border-color: var(--line-strong); color: var(--text); }
button.quiet:disabled { color: var(--muted); border-color: var(--line); }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.buttons button:enabled { background: color-mix(in srgb, var(--accent) 13%, var(--surface)); color: var(--accent); }
#more { display: block; margin: 14px auto 0; }
input:not([type=radio]), select { width: 100%; padding: 5px 8px; border: 1px solid var(--line-strong); border-radius: 7px; background: var(--surface); min-height: 32px; }
input:disabled, select:disabled { background: var(--raised); border-color: var(--line); color: var(--muted); }
.fields { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
.fields + .fields { margin-top: 10px; }
.fields label { flex: 1 1 96px; color: var(--muted); font-size: 12px; }
.fields label > * { display: block; margin-top: 2px; font-size: 14px; color: var(--text); }
#fault label:first-child { flex-basis: 190px; }
.fields .short { flex: 0 1 84px; }
.fields + .small { margin-top: 8px; }
.empty { color: var(--muted); padding: 6px 0; }
.empty:empty { display: none; }

.live { display: inline-flex; align-items: center; gap: 6px; font-size: 12px; color: var(--muted); }
.live::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: var(--good); }
.live.off { color: var(--bad); }
.live.off::before { background: none; border: 2px solid var(--bad); }

.accounts { margin-bottom: 16px; }
.accounts ul { display: grid; gap: 12px; }
.accounts .account {
  display: flex; flex-wrap: wrap; gap: 10px 28px; align-items: center; padding: 12px 16px;
  background: var(--surface); border: 1px solid var(--line); border-radius: 12px;
}
.accounts li + li, .accounts li:not(:last-child) { border-color: var(--line); }
.accounts li.shown:not(:only-child) { border-color: var(--accent); box-shadow: inset 3px 0 0 var(--accent); }
.who { display: grid; gap: 1px; min-width: 150px; }
.who label { display: flex; gap: 8px; align-items: center; cursor: pointer; }
.numbers { display: flex; flex-wrap: wrap; gap: 8px 26px; margin-right: auto; }
.numbers div { display: flex; flex-direction: column-reverse; }
.numbers dt { font-size: 12px; color: var(--muted); }
.numbers dd { font-size: 18px; font-weight: 600; line-height: 1.2; }
.accounts .features { display: flex; flex-wrap: wrap; gap: 6px; }
.features li { padding: 1px 9px; border-radius: 99px; font-size: 12px; border: 1px solid var(--line-strong); color: var(--muted); }
.features .off { text-decoration: line-through; border-style: dashed; }

.chip { display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: 12px; font-weight: 550; white-space: nowrap; background: var(--plain-ground); }
.chip.on_ship, .chip.on_rail, .chip.pending { background: color-mix(in srgb, var(--sea) 16%, var(--surface)); }
.chip.available, .chip.succeeded, .chip.created, .chip.delivered { background: var(--good-ground); color: var(--good); }
.chip.not_available, .chip.awaiting_manifest { background: var(--warn-ground); color: var(--warn); }
.chip.failed { background: var(--bad-ground); color: var(--bad); }

.key + .key { margin-top: 12px; padding-top: 10px; border-top: 1px solid var(--line); }
.key h3 { font-weight: 400; font-size: 12px; color: var(--muted); margin-bottom: 4px; }
.key li { display: grid; grid-template-columns: 172px minmax(40px, 1fr) auto; gap: 2px 12px; font-size: 13px; align-items: center; min-height: 24px; }
.count { min-width: 62px; text-align: right; font-size: 12px; color: var(--muted); }
.meter { height: 8px; border-radius: 4px; background: var(--plain-ground); overflow: hidden; }
.meter span { display: block; height: 100%; border-radius: 4px; background: var(--accent); }
.nearly .meter span { background: var(--rail); }
.full .meter span { background: repeating-linear-gradient(135deg, var(--bad) 0 6px, color-mix(in srgb, var(--bad) 72%, var(--surface)) 6px 10px); }
.full .count { color: var(--bad); font-weight: 600; }

.deliveries li, .tracked li, .faults li { display: grid; gap: 0 10px; align-items: baseline; padding: 6px 0; border-top: 1px solid var(--line); }
.deliveries li:first-child { border-top: 0; }
.deliveries li, .tracked li { grid-template-columns: 104px minmax(0, 1fr) auto; }
.deliveries small, .tracked small { grid-column: 2 / -1; overflow-wrap: anywhere; }
.deliveries .chip, .tracked .chip { justify-self: start; }
.deliveries time, .tracked time { font-size: 12px; color: var(--muted); }
.tracked li { grid-template-columns: 136px minmax(0, 1fr) auto; }
.tracked b { overflow-wrap: anywhere; font-weight: 550; }
#tracked-title { margin: 16px 0 4px; }
.faults { margin-top: 12px; }
.faults li { grid-template-columns: minmax(0, 1fr) auto; }
.faults small { grid-row: 2; overflow-wrap: anywhere; }
.faults button { grid-row: 1 / 3; grid-column: 2; align-self: center; }

.requests { width: 100%; border-collapse: collapse; font: 12px/1.5 var(--mono); }
.requests td { padding: 2px 8px 2px 0; vertical-align: top; }
.requests .target { width: 99%; overflow-wrap: anywhere; }
.requests .path b { font-weight: 600; }
.requests .age { padding-right: 0; text-align: right; white-space: nowrap; }
.requests .who { white-space: nowrap; }
.status { font-weight: 700; }
.status.fine { color: var(--good); }
.status.refused { color: var(--warn); }
.status.failed { color: var(--bad); }
`;
