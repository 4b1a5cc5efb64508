import { type BoardShipment, followShipments } from './data/shipments.ts';
import { summarize } from './data/summary.ts';
import type { Service } from './service/service.ts';
import { clock } from './view/clock.ts';
import { shipmentDetail } from './view/detail.ts';
import { batched, element } from './view/dom.ts';
import { showNotifications } from './view/notifications.ts';
import { shipmentList } from './view/shipment-list.ts';
import { uploads } from './view/upload.ts';

/**
 * Connects to the service behind your server if the command is `npm run live`, otherwise to the sandbox. Only one of
 * them is loaded.
 */
async function connect(): Promise<Service> {
  if (import.meta.env.MODE === 'live') return (await import('./service/proxy.ts')).startProxy();
  return (await import('./service/sandbox.ts')).startSandbox();
}

const problem = element('#problem', HTMLElement);
const pane = element('#detail', HTMLElement);

function report(error: unknown): void {
  problem.textContent = error instanceof Error ? error.message : String(error);
  problem.hidden = false;
}

async function start(): Promise<void> {
  const service = await connect();
  const shipments = new Map<string, BoardShipment>();
  const detail = shipmentDetail(pane, service, report);
  const render = batched(() => list.show(shipments, selected(), service.now()));
  const list = shipmentList(
    {
      list: element('#shipments', HTMLElement),
      search: element('#search', HTMLInputElement),
      filters: element('#filters', HTMLElement),
      headline: element('#headline', HTMLElement),
      found: element('#found', HTMLElement),
      clear: element('#clear', HTMLElement),
    },
    render,
  );

  /** The id of the shipment in the address of the page. */
  function selected(): string | undefined {
    return /^#\/shipments\/(.+)$/.exec(location.hash)?.[1];
  }

  function open(): void {
    const shipment = shipments.get(selected() ?? '');
    document.body.classList.toggle('has-detail', shipment !== undefined);
    pane.hidden = shipment === undefined;
    if (shipment) detail.show(shipment);
    render();
  }
  const reopen = batched(open);

  /** On a wide screen, the first shipment at sea is open from the beginning. */
  function openFirst(shipment: BoardShipment): void {
    if (selected() !== undefined || !matchMedia('(min-width: 761px)').matches) return;
    if (summarize(shipment, service.now()).phase !== 'sea') return;
    history.replaceState(null, '', `#/shipments/${shipment.id}`);
  }

  window.addEventListener('hashchange', () => {
    open();
    detail.focus();
  });
  clock(service, () => {
    render();
    detail.refresh();
  });
  uploads(service.client);
  setInterval(() => {
    if (document.visibilityState === 'visible') detail.refresh();
  }, service.refreshMs);

  showNotifications(element('#notifications', HTMLElement), service.notifications).catch(report);
  await followShipments(service.feed, shipments, {
    unread: report,
    changed(change) {
      problem.hidden = true;
      if (change.kind === 'appeared' && change.initial) openFirst(change.record);
      document.body.classList.add('is-live');
      if (change.kind === 'changed') list.flash(change.id);
      if (change.kind !== 'unread' && change.id === selected()) reopen();
      render();
    },
  });
}

start().catch(error => {
  // The feed only ends after a lasting problem: a wrong key, or an error of this program.
  document.body.classList.remove('is-live');
  report(error);
});
