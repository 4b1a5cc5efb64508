import type { Data, Item } from './data.ts';
import { byId, chip, el, enable, setText, show, within } from './dom.ts';
import { dayTime, joined, words } from './format.ts';
import type { Page } from './page.ts';

/** Starts the tracking of numbers and scenarios, and shows what came of the latest. */
export function showTracking({ trackingRequests, scenarios, mayChange, account }: Data, page: Page): void {
  const track = byId('track', HTMLFormElement);
  const scenario = byId('scenario', HTMLFormElement);
  const choice = within(scenario, 'select', HTMLSelectElement);
  if (choice.length === 0) {
    for (const { name } of scenarios) {
      choice.append(el('option', { value: name, textContent: words(name.replaceAll('-', ' ')) }));
    }
    const describe = () => {
      const chosen = scenarios.find(({ name }) => name === choice.value);
      setText(byId('scenario-says'), chosen?.description ?? '');
    };
    choice.onchange = describe;
    describe();
  }
  track.onsubmit = async event => {
    event.preventDefault();
    await page.change('track', { account, ...Object.fromEntries(new FormData(track)) });
  };
  scenario.onsubmit = async event => {
    event.preventDefault();
    await page.change('scenario', { account, name: choice.value });
  };
  enable(track, mayChange);
  enable(scenario, mayChange);
  show(byId('tracked'), trackingRequests, ({ id }) => id, row);
}

function row({ number, scac, status, failedReason, createdAt }: Item<'trackingRequests'>): HTMLElement {
  return el(
    'li',
    {},
    chip(status, words(status)),
    el('b', { textContent: number }),
    el('time', { dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: joined(scac, failedReason === null ? '' : words(failedReason)) }),
  );
}
