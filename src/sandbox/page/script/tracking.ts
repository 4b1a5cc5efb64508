/** Starts the tracking of numbers and scenarios, and shows what came of the latest. */
export const tracking = `
import { byId, chip, el, setText, show } from './dom.js';
import { dayTime, words } from './format.js';

export function showTracking({ trackingRequests, scenarios, mayChange, account }, page) {
  const [track, scenario] = [byId('track'), byId('scenario')];
  if (scenario.elements.name.length === 0) {
    for (const { name } of scenarios) scenario.elements.name.append(el('option', { value: name, textContent: words(name.replaceAll('-', ' ')) }));
    const describe = () => setText(byId('scenario-says'), scenarios.find(({ name }) => name === scenario.elements.name.value).description);
    scenario.elements.name.onchange = describe;
    describe();
  }
  track.onsubmit = async event => {
    event.preventDefault();
    await page.change('track', { account, ...Object.fromEntries(new FormData(track)) });
  };
  scenario.onsubmit = async event => {
    event.preventDefault();
    await page.change('scenario', { account, name: scenario.elements.name.value });
  };
  for (const form of [track, scenario]) for (const field of form.elements) field.disabled = !mayChange;
  show(byId('tracked'), trackingRequests, ({ id }) => id, row);
}

function row({ number, scac, status, failedReason, createdAt }) {
  const why = failedReason === null ? '' : words(failedReason);
  return el(
    'li',
    {},
    chip(status, words(status)),
    el('b', { textContent: number }),
    el('time', { dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: [scac, why].filter(Boolean).join(' · ') }),
  );
}
`;
