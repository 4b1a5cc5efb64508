import type { ActionName } from '../../sandbox-page.ts';
import { showAccounts, showClock, showLimits } from './accounts.ts';
import { showDeliveries, showRequests } from './activity.ts';
import type { Data, Page, View } from './api.ts';
import { act, load, Refusal, takeToken } from './api.ts';
import { showFaults, showTracking } from './controls.ts';
import { byId, plural, setText } from './dom.ts';
import { showShipments } from './shipments.ts';

/** Requests the data of the page, shows it, and requests it again. */

const EVERY_MS = 1000;
const SAID_FOR_MS = 6000;
const VIEW_ONLY =
  'This page is read-only. To change something, open the whole address that was printed at the start, with its token.';

const view: View = { account: '', shipments: 10, open: '', request: 0 };
let shown: Data | null = null;
let timer = 0;
let sayUntil = 0;
let running = Promise.resolve();

const page: Page = {
  view,
  look(changes) {
    Object.assign(view, changes);
    refresh();
  },
  async change(name: ActionName, body) {
    try {
      say(await act(name, body), 'fine');
    } catch (error) {
      say(messageOf(error), 'problem');
    }
    await refresh();
  },
};

const SECTIONS: readonly ((data: Data, page: Page) => void)[] = [
  showClock,
  showAccounts,
  showShipments,
  showLimits,
  showDeliveries,
  showRequests,
  showTracking,
  showFaults,
];

function say(text: string, kind: 'fine' | 'problem'): void {
  const said = byId('said');
  said.className = `said ${kind}`;
  setText(said, text);
  clearTimeout(sayUntil);
  sayUntil = setTimeout(() => setText(said, ''), SAID_FOR_MS);
}

/** Loads the data again. Each load waits for the load before it, so that older data never replaces newer data. */
function refresh(): Promise<void> {
  clearTimeout(timer);
  running = running.then(refreshNow);
  return running;
}

async function refreshNow(): Promise<void> {
  try {
    const data = await load(view);
    const before = shown;
    shown = data;
    for (const section of SECTIONS) section(data, page);
    tellDeliveries(before, data);
    tellState('live', 'Live', data.mayChange ? '' : VIEW_ONLY);
  } catch (error) {
    const notice = error instanceof Refusal ? error.message : 'The sandbox does not respond. Trying again …';
    tellState('off', 'No response', notice);
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(refresh, EVERY_MS);
}

function tellState(kind: 'live' | 'off', text: string, notice: string): void {
  const live = byId('live');
  live.className = `live small muted ${kind}`;
  setText(live, text);
  setText(byId('notice'), notice);
  byId('notice').hidden = notice === '';
  document.body.classList.toggle('view-only', notice !== '');
}

/** Announces new deliveries to screen readers. */
function tellDeliveries(before: Data | null, data: Data): void {
  if (before === null || before.account !== data.account || data.deliveries.length === 0) return;
  const more = notificationsIn(data, data.account) - notificationsIn(before, data.account);
  if (more <= 0) return;
  const said = (byId('said').textContent ?? '').replace(/ \d+ new notifications?\.$/, '');
  say(`${said === '' ? '' : `${said} `}${plural(more, 'new notification')}.`, 'fine');
}

function notificationsIn({ accounts }: Data, name: string): number {
  return accounts.find(account => account.name === name)?.counts.notifications ?? 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

addEventListener('hashchange', () => takeToken() && refresh());
document.addEventListener('visibilitychange', () => !document.hidden && refresh());
takeToken();
refresh();
