/** Finds the links of a page and the addresses of its headings. */

export interface Link {
  target: string;
  line: number;
}

const LINKS = [
  // [text](target "title") and ![text](target). The text may contain the brackets of an image.
  /\]\(<?([^()\s<>]+(?:\([^()\s]*\)[^()\s]*)?)>?(?:\s+"[^"]*")?\)/g,
  // [name]: target
  /^\s*\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/g,
  /\b(?:href|src|srcset)="([^"]+)"/g,
  // An address in the text that is not the target of a link.
  /(?<![("])\bhttps?:\/\/[^\s)>\]"]*[^\s)>\]".,:;]/g,
];

export function linksOf(text: string): Link[] {
  return linesOutsideFences(text).flatMap(({ line, number }) => {
    const prose = line.replaceAll(/(`+).*?\1/g, '');
    return LINKS.flatMap(pattern =>
      Array.from(prose.matchAll(pattern), ([all, target = all]) => ({ target, line: number })),
    );
  });
}

/**
 * The anchors of the headings, as GitHub creates them: the anchor of a second heading with the same text ends in `-1`.
 */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { line } of linesOutsideFences(text)) {
    const heading = /^#{1,6} +(.*?)(?: +#+)? *$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function linesOutsideFences(text: string): { line: string; number: number }[] {
  let fence = '';
  return text.split('\n').flatMap((line, index) => {
    const ticks = /^ *(```+)/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (line.trim() === fence) fence = '';
      return [];
    }
    fence = ticks;
    return ticks === '' ? [{ line, number: index + 1 }] : [];
  });
}
