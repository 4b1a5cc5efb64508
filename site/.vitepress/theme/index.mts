import { type EnhanceAppContext, onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { watch } from 'vue';
import Journey from './Journey.vue';
import Snippet from './Snippet.vue';
import { searchOptions } from './search.ts';
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
    options.miniSearch = { searchOptions };
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

/** Scrolls the sidebar to the entry of the page, after its group has opened. */
function showActiveEntry(): void {
  const entries = document.querySelectorAll('.VPSidebarItem.is-active > .item');
  Array.from(entries).at(-1)?.scrollIntoView({ block: 'nearest' });
}

/** Pictures with a light and a dark version follow the theme of the page, not only the setting of the system. */
function followTheme(isDark: boolean): void {
  for (const source of document.querySelectorAll<HTMLSourceElement>('source[media], source[data-dark]')) {
    source.dataset.dark ??= String(source.media.includes('dark'));
    source.media = source.dataset.dark === String(isDark) ? 'all' : 'not all';
  }
}
