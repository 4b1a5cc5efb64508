import { DOCUMENT } from './document.ts';
import { ICON } from './icon.ts';
import { accounts } from './script/accounts.ts';
import { api } from './script/api.ts';
import { clock } from './script/clock.ts';
import { deliveries } from './script/deliveries.ts';
import { dom } from './script/dom.ts';
import { faults } from './script/faults.ts';
import { format } from './script/format.ts';
import { limits } from './script/limits.ts';
import { main } from './script/main.ts';
import { requests } from './script/requests.ts';
import { shipments } from './script/shipments.ts';
import { timelines } from './script/timelines.ts';
import { tracking } from './script/tracking.ts';
import { LAYOUT } from './style/layout.ts';
import { PARTS } from './style/parts.ts';
import { THEME } from './style/theme.ts';
import { TIMELINES } from './style/timelines.ts';

/** The scripts of the page by their names. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  accounts,
  api,
  clock,
  deliveries,
  dom,
  faults,
  format,
  limits,
  main,
  requests,
  shipments,
  timelines,
  tracking,
};

/** The files of the page by their paths. */
export const FILES: ReadonlyMap<string, [type: string, text: string]> = new Map([
  ['/', ['text/html', DOCUMENT]],
  ['/page/icon.svg', ['image/svg+xml', ICON]],
  ['/page/style.css', ['text/css', THEME + LAYOUT + PARTS + TIMELINES]],
  ...Object.entries(SCRIPTS).map(([name, text]): [string, [string, string]] => [
    `/page/${name}.js`,
    ['text/javascript', text],
  ]),
]);
