import { type EnhanceAppContext, onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { watch } from 'vue';
import Journey from './Journey.vue';
import { inWordsOfPages, withoutStopWords } from './query.ts';
import Snippet from './Snippet.vue';
import './journey.css';
import './snippet.css';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app, siteData }: EnhanceAppContext) {
    app.component('Journey', Journey);
    app.component('Snippet', Snippet);
    // The function is set here, because the configuration would send it as a text that must be evaluated.
    const { options } = siteData.value.themeConfig.search;
    options.miniSearch = { searchOptions: { boostDocument, fuzzy, prefix, tokenize } };
  },
  setup() {
    const { isDark } = useData();
    onContentUpdated(() => {
      followTheme(isDark.value);
      requestAnimationFrame(showActiveEntry);
    });
    watch(isDark, followTheme, { flush: 'post' });
  },
};

/**
 * The words of the last query, in lower case. A document can also match because it contains other words, which only
 * begin with one of these words.
 */
let words: readonly string[] = [];
/** The codes of the last query, such as `rate_limited`, each as one word. */
let codes: readonly string[] = [];
/** The camelCase words of the last query, converted to lower case: names of functions or types. */
let names: readonly string[] = [];

/** The words of a query. In the index, the page of errors also has each code as one word. */
function tokenize(query: string): string[] {
  codes = (query.match(/\w+_\w+/g) ?? []).map(code => code.replaceAll('_', '').toLowerCase());
  names = (query.match(/\w*[a-z][A-Z]\w*/g) ?? []).map(name => name.toLowerCase());
  const parts = inWordsOfPages(query)
    .split(/[\s\p{P}]+/u)
    .filter(Boolean);
  words = withoutStopWords([...parts, ...codes].map(word => word.toLowerCase()));
  return [...words];
}

/**
 * Guides come before names of the reference: a reader usually searches for a task. The page of errors has nearly every word, so
 * it comes first only for a class, a code or a status of an error. The page of a function or a type comes first for its name.
 */
function boostDocument(id: string, term: string): number {
  const isError = codes.includes(term) || (words.includes(term) && /.error$|^[45]\d\d$/.test(term));
  if (id.includes('/reference/errors')) return isError ? 100 : 0.2;
  if (!isError && names.includes(term) && id.includes('/api/') && id.toLowerCase().includes(`/${term}.`)) return 50;
  return id.includes('/guides/') || id.includes('/recipes/') ? 3 : id.includes('/api/') ? 0.2 : 1;
}

/** Scrolls the sidebar to the entry of the page, after its group has opened. */
function showActiveEntry(): void {
  const entries = document.querySelectorAll('.VPSidebarItem.is-active > .item');
  Array.from(entries).at(-1)?.scrollIntoView({ block: 'nearest' });
}

/** A word of one or two letters finds only itself: "up" does not find "upload". */
function prefix(term: string): boolean {
  return term.length > 2;
}

/** A short word must match exactly: "last" does not find "list". */
function fuzzy(term: string): number | false {
  return term.length > 4 && 0.2;
}

/** Pictures for light and dark follow the switch of the page, not only the setting of the system. */
function followTheme(isDark: boolean): void {
  for (const source of document.querySelectorAll<HTMLSourceElement>('source[media], source[data-dark]')) {
    source.dataset.dark ??= String(source.media.includes('dark'));
    source.media = source.dataset.dark === String(isDark) ? 'all' : 'not all';
  }
}
