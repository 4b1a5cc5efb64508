import type { Data, Item } from './data.ts';
import { byId, el, setText, show, within } from './dom.ts';
import { spaced } from './format.ts';

type Bucket = Item<'limits'>['buckets'][number];

/** The windows of the rate limit, and how full they are: one bar for each key and bucket. */
export function showLimits({ limits, accounts }: Data): void {
  const several = accounts.length > 1;
  const parent = byId('limits');
  const items = limits.map(({ account, apiKey }, index) => ({
    index,
    title: several ? `${account} · ${apiKey}` : apiKey,
  }));
  show(parent, items, ({ index }) => index, makeKey);
  for (const [index, list] of parent.querySelectorAll('ul').entries()) {
    show(list, limits[index]?.buckets ?? [], ({ bucket }) => bucket, bar);
  }
}

function makeKey({ title }: { title: string }): HTMLElement {
  return el('div', { className: 'key' }, el('h3', {}, 'Key ', el('code', { textContent: title })), el('ul'));
}

/** The same element at each change, so that the bar moves rather than jumps. */
function bar({ bucket, used, limit, freesInMs }: Bucket, before: HTMLElement | undefined): HTMLElement {
  const item = before ?? makeBar();
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const free = share >= 1 && freesInMs !== null ? `, free in ${Math.ceil(freesInMs / 1000)} s` : '';
  const meter = within(item, '.meter');
  item.className = share >= 1 ? 'full' : share >= 0.8 ? 'nearly' : '';
  setText(within(item, '.name'), spaced(bucket));
  setText(within(item, '.count'), `${used} / ${limit ?? '∞'}${free}`);
  meter.setAttribute('aria-label', spaced(bucket));
  meter.setAttribute('aria-valuemax', String(limit ?? Math.max(used, 1)));
  meter.setAttribute('aria-valuenow', String(used));
  within(meter, 'span').style.width = `${share * 100}%`;
  return item;
}

function makeBar(): HTMLElement {
  const meter = el('span', { className: 'meter', role: 'meter', 'aria-valuemin': '0' }, el('span'));
  return el('li', {}, el('span', { className: 'name' }), meter, el('span', { className: 'count' }));
}
