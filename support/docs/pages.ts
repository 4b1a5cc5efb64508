/** Finds the snippets of the handwritten pages. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface Snippet {
  /** The path of the page, from the root of the project. */
  page: string;
  heading: string;
  /** The path in the line above the fence, such as `app/page.ts`. Snippets with a path can import one another. */
  file?: string;
  /** Number of the line of the fence, which is directly above the code. */
  line: number;
  language: 'ts' | 'tsx' | 'cjs';
  code: string;
  isChecked: boolean;
  isRun: boolean;
  /** The reason why the snippet is not run, as the page gives it. */
  whyNotRun?: string;
  /**
   * True for a snippet that never ends by itself. The snippet is stopped after a moment. It fails if it has ended
   * earlier.
   */
  isEndless: boolean;
}

export interface Page {
  snippets: Snippet[];
  /** The mistakes in the fences of the page. */
  complaints: string[];
}

const LANGUAGES: Record<string, Snippet['language']> = { ts: 'ts', js: 'ts', tsx: 'tsx', cjs: 'cjs' };
/**
 * Languages whose snippets are not checked. An unknown language is reported as a mistake: otherwise, a typing error in
 * the name of a language would disable the check.
 */
const OTHER_LANGUAGES = ['sh', 'json', 'jsonc', 'text', 'sql', 'http', 'html', 'css', 'yaml', 'toml', 'ini', 'diff'];
/** Number of characters that the site can show in a line. The limit is only for pages in `docs/`. */
const COLUMN = 80;
/**
 * Words after the language of a fence. A comment above the fence gives the reason: each word is listed with the
 * beginning of this comment.
 */
const REASONS: Record<string, string> = { 'no-run': '<!-- not run: ', 'no-check': '<!-- not checked: ' };

export function pathsOfPages(): string[] {
  return ['README.md', ...globSync(['docs/{guides,recipes}/*.md', 'skills/*/SKILL.md'], { cwd: ROOT }).sort()];
}

export function readPage(path: string): Page {
  return parsePage(path, readFileSync(join(ROOT, path), 'utf8'));
}

export function parsePage(page: string, text: string): Page {
  const snippets: Snippet[] = [];
  const complaints: string[] = [];
  const lines = text.split('\n');
  let heading = '';
  for (let index = 0; index < lines.length; index += 1) {
    heading = /^#+ (.*)/.exec(lines[index] ?? '')?.[1] ?? heading;
    const fence = /^( *)(```+)\s*(.*)$/.exec(lines[index] ?? '');
    if (!fence) continue;
    const [, indent = '', ticks = '', info = ''] = fence;
    const end = lines.findIndex((line, at) => at > index && line.trim() === ticks);
    const complain = (text: string) => complaints.push(`${page}:${index + 1}: ${text}`);
    if (end < 0) {
      complain('The fence has no end.');
      break;
    }
    for (const [at, { length }] of lines.slice(index + 1, end).entries()) {
      if (page.startsWith('docs/') && length > COLUMN) {
        complaints.push(`${page}:${index + at + 2}: The line has ${length} characters. The column shows ${COLUMN}.`);
      }
    }
    const [name = '', ...words] = info.trim().split(/\s+/);
    const language = LANGUAGES[name];
    if (language) {
      for (const word of words) {
        const reason = REASONS[word];
        if (!reason && word !== 'endless') complain(`"${word}" after the language is not a known word.`);
        const hasReason = reason && new RegExp(`^${reason}\\S.*-->$`).test((lines[index - 1] ?? '').trim());
        if (reason && !hasReason) complain(`"${word}" needs its reason in the line above: ${reason}… -->`);
      }
      const whyNotRun = words.includes('no-run')
        ? /^<!-- not run: (.*?) *-->$/.exec((lines[index - 1] ?? '').trim())?.[1]
        : undefined;
      const above = lines.slice(0, index).findLast(line => line.trim() !== '' && !line.startsWith('<!--'));
      const file = /`([^`\s]+\.tsx?)`:$/.exec(above ?? '')?.[1];
      const code = lines.slice(index + 1, end).map(line => line.replace(indent, ''));
      snippets.push({
        page,
        heading,
        ...(file !== undefined && { file }),
        line: index + 1,
        language,
        code: code.join('\n'),
        isChecked: !words.includes('no-check'),
        // Code that the compiler refuses is likely to fail.
        isRun: !words.some(word => word in REASONS) && !code.some(line => line.includes('@ts-expect-error')),
        isEndless: words.includes('endless'),
        ...(whyNotRun !== undefined && { whyNotRun }),
      });
    } else if (!OTHER_LANGUAGES.includes(name)) {
      complain(`"${name}" is not a language of these pages: ${[...Object.keys(LANGUAGES), ...OTHER_LANGUAGES]}`);
    }
    index = end;
  }
  return { snippets, complaints };
}

/** The name of the test of a snippet. */
export function nameOf({ page, heading, line }: Snippet): string {
  return `${page}:${line}, ${heading}`;
}
