// Runs before the first paint, so that the page does not flash in the wrong color scheme. The key is Mantine's.
const stored = localStorage.getItem('mantine-color-scheme-value');
const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
