import type { Data } from './data.ts';
import { byId, el, setText } from './dom.ts';
import { fullTime, span } from './format.ts';
import type { Page } from './page.ts';

const STEPS = [
  ['+1 hour', { hours: 1 }],
  ['+6 hours', { hours: 6 }],
  ['+1 day', { days: 1 }],
  ['+1 week', { days: 7 }],
] as const;

/** The service's clock, and the buttons that move it forward. */
export function showClock({ clock, mayChange }: Data, page: Page): void {
  const now = byId('now', HTMLTimeElement);
  now.dateTime = clock.now;
  setText(now, fullTime(clock.now));
  const since = Date.parse(clock.now) - Date.parse(clock.startedAt);
  const speed = clock.speed === 0 ? 'stands still' : `runs ${clock.speed}×`;
  setText(byId('since'), `${span(since, 2)} since the start, ${speed}`);

  const buttons = byId('advance');
  if (buttons.childElementCount === 0) {
    for (const [text, duration] of STEPS) {
      const onclick = () => page.change('advance', duration);
      buttons.append(el('button', { type: 'button', textContent: text, onclick }));
    }
  }
  for (const button of buttons.querySelectorAll('button')) button.disabled = !mayChange;
}
