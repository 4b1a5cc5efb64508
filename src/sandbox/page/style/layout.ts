/** Where things stand. */
export const LAYOUT = `
.skip { position: absolute; left: 16px; top: -60px; z-index: 3; padding: 8px 12px; background: var(--surface); color: var(--accent); }
.skip:focus { top: 12px; }
.top {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center;
  padding: 12px 24px; background: var(--surface); border-bottom: 1px solid var(--line);
}
.brand { display: flex; gap: 10px; align-items: center; margin-right: auto; }
.clock { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; }
.now { font-size: 18px; font-weight: 600; letter-spacing: -0.01em; }
.now .muted { font-size: 12px; font-weight: 400; }
main { max-width: 1480px; margin: 0 auto; padding: 16px 24px 40px; }
.columns { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); align-items: start; }
.column { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px 16px; }
.head { display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: space-between; align-items: baseline; margin-bottom: 10px; }
.scroll { max-height: 264px; overflow: auto; margin: 0 -16px -16px; padding: 0 16px 14px; }
.scroll:focus-visible { outline-offset: -3px; border-radius: 12px; }
@media (min-width: 1080px) {
  .columns { grid-template-columns: minmax(0, 1.65fr) minmax(0, 1fr); }
}
@media (max-width: 640px) {
  .top { position: static; padding: 12px 16px; }
  main { padding: 12px 12px 32px; }
}
.notice { max-width: 1432px; margin: 12px auto 0; padding: 9px 14px; border-radius: 8px; background: var(--warn-ground); color: var(--warn); }
.said { position: fixed; right: 24px; bottom: 24px; z-index: 3; max-width: 420px; border-radius: 8px; }
.said:not(:empty) { padding: 10px 14px; box-shadow: 0 4px 18px rgb(0 0 0 / 0.18); }
.said.fine { background: var(--text); color: var(--surface); }
.said.problem { background: var(--bad-ground); color: var(--bad); }
`;
