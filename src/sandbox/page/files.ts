import { DOCUMENT, ICON, SCRIPT, STYLE } from './generated/texts.ts';

/** The files of the page by their paths. */
export const FILES: ReadonlyMap<string, [type: string, text: string]> = new Map([
  ['/', ['text/html', DOCUMENT]],
  ['/page/icon.svg', ['image/svg+xml', ICON]],
  ['/page/style.css', ['text/css', STYLE]],
  ['/page/main.js', ['text/javascript', SCRIPT]],
]);
