import type { Service } from '../service/service.ts';
import { element } from './dom.ts';
import { clockText } from './format.ts';

/** Shows the time of the service and, with the sandbox, moves it forward. */
export function clock({ now, advance }: Service, onAdvanced: () => void): void {
  const time = element('#now', HTMLTimeElement);
  const tick = () => {
    time.textContent = clockText(now());
    time.dateTime = now().toISOString();
  };
  setInterval(tick, 1000);
  tick();
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-hours]')) {
    button.hidden = advance === undefined;
    button.addEventListener('click', async () => {
      button.ariaBusy = 'true';
      await advance?.(Number(button.dataset.hours));
      button.ariaBusy = null;
      tick();
      onAdvanced();
    });
  }
}
