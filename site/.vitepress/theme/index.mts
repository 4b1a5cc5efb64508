import { type EnhanceAppContext, onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { watch } from 'vue';
import Journey from './Journey.vue';
import Snippet from './Snippet.vue';
import './journey.css';
import './snippet.css';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app, siteData }: EnhanceAppContext) {
    app.component('Journey', Journey);
    app.component('Snippet', Snippet);
    // Here and not in the configuration, which would send it as a text that has to be evaluated.
    const { options } = siteData.value.themeConfig.search;
    options.miniSearch = { searchOptions: { boostDocument } };
  },
  setup() {
    const { isDark } = useData();
    onContentUpdated(() => followTheme(isDark.value));
    watch(isDark, followTheme, { flush: 'post' });
  },
};

/** Whoever searches wants to know how before they want a name. */
function boostDocument(id: string): number {
  return id.includes('/guides/') || id.includes('/recipes/') ? 3 : id.includes('/api/') ? 0.6 : 1;
}

/** Pictures for light and dark follow the switch of the page, not only the setting of the system. */
function followTheme(isDark: boolean): void {
  for (const source of document.querySelectorAll<HTMLSourceElement>('source[media], source[data-dark]')) {
    source.dataset.dark ??= String(source.media.includes('dark'));
    source.media = source.dataset.dark === String(isDark) ? 'all' : 'not all';
  }
}
