import DefaultTheme from 'vitepress/theme';
import './style.css';

// VitePress looks for a default export.
export { DefaultTheme as default };
