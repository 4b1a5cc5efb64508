import { onContentUpdated, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { watch } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    onContentUpdated(() => followTheme(isDark.value));
    watch(isDark, followTheme, { flush: 'post' });
  },
};

/** Pictures for light and dark follow the switch of the page, not only the setting of the system. */
function followTheme(isDark: boolean): void {
  for (const source of document.querySelectorAll<HTMLSourceElement>('source[media], source[data-dark]')) {
    source.dataset.dark ??= String(source.media.includes('dark'));
    source.media = source.dataset.dark === String(isDark) ? 'all' : 'not all';
  }
}
