/** Asks for the data of the page, shows it, and asks again. */
export const main = String.raw`
import { showAccounts } from './accounts.js';
import { act, load, takeToken } from './api.js';
import { showClock } from './clock.js';
import { showDeliveries } from './deliveries.js';
import { byId, setText } from './dom.js';
import { showFaults } from './faults.js';
import { plural } from './format.js';
import { showLimits } from './limits.js';
import { showRequests } from './requests.js';
import { showShipments } from './shipments.js';
import { showTracking } from './tracking.js';

const EVERY_MS = 1000;
// What the reader looks at.
const view = { account: '', shipments: 10, open: '' };
let shown = null;
let timer = 0;
let running = Promise.resolve();

const page = {
  view,
  // Looks at something else.
  look(changes) {
    Object.assign(view, changes);
    refresh();
  },
  // Changes something in the sandbox, and says what came of it.
  async change(name, body) {
    try {
      say(await act(name, body), 'fine');
    } catch (error) {
      say(error.message, 'problem');
    }
    await refresh();
  },
};

const SECTIONS = [
  showClock,
  showAccounts,
  showShipments,
  showLimits,
  showDeliveries,
  showRequests,
  showTracking,
  showFaults,
];

let sayUntil = 0;

function say(text, kind) {
  const said = byId('said');
  said.className = 'said ' + kind;
  setText(said, text);
  clearTimeout(sayUntil);
  sayUntil = setTimeout(() => setText(said, ''), 6000);
}

// One after the other, so that no older data replaces newer.
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
    tellState('live', 'Live', data.mayChange ? '' : VIEW_ONLY);
  } catch (error) {
    tellState('off', 'No answer', error.status ? error.message : 'The sandbox does not answer. Trying again …');
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(refresh, EVERY_MS);
}

const VIEW_ONLY =
  'You can look, but change nothing: this needs the whole address that was printed at the start, with its token.';

function tellState(kind, text, notice) {
  const live = byId('live');
  live.className = 'live ' + kind;
  setText(live, text);
  setText(byId('notice'), notice);
  byId('notice').hidden = notice === '';
  document.body.classList.toggle('view-only', notice !== '');
}

// For those who do not see them appear.
function tellDeliveries(before, { account, deliveries, accounts }) {
  if (before === null || before.account !== account) return;
  const countIn = data => data.accounts.find(each => each.name === account)?.counts.notifications ?? 0;
  const more = countIn({ accounts }) - countIn(before);
  const said = byId('said');
  if (more <= 0 || deliveries.length === 0) return;
  say((said.textContent === '' ? '' : said.textContent.replace(/ \d+ new notifications?\.$/, '') + ' ') + plural(more, 'new notification') + '.', 'fine');
}

addEventListener('hashchange', () => takeToken() && refresh());
document.addEventListener('visibilitychange', () => !document.hidden && refresh());
takeToken();
refresh();
`;
