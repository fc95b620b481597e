import { Badge, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Table } from '@mantine/core';
import i18next from 'i18next';

/** The brown of the bell in the logo. */
const bell: MantineColorsTuple = [
  '#fdf3ea',
  '#f7e3d0',
  '#f0c79f',
  '#e8a96b',
  '#e09a55',
  '#cf7a33',
  '#b4541a',
  '#a84d16',
  '#a34a14',
  '#7c370d',
];

export const theme = createTheme({
  colors: { bell },
  primaryColor: 'bell',
  // White text on this shade has enough contrast in both themes.
  primaryShade: 8,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'Inter, system-ui, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", Menlo, monospace',
  headings: { fontWeight: '600' },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: 'dot', tt: 'none', fw: 500, miw: 'max-content' } }),
    // The language can change. The component is not imported, because the first page needs no password.
    PasswordInput: {
      defaultProps: () => ({ visibilityToggleButtonProps: { 'aria-label': i18next.t('common.showValue') } }),
    },
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } }),
  },
});

/** Colors with enough contrast in both themes. The default gray of secondary texts is too light. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c5c66',
    '--mantine-color-placeholder': '#6b6b76',
    '--mantine-color-error': '#b8272c',
    '--console-raised': '#f6f6f7',
    '--console-grid': '#e4e4e7',
    '--console-target': '#f0dfd0',
    '--console-sent': '#cb7f38',
    '--console-received': '#7c370d',
  },
  dark: {
    '--mantine-color-dimmed': '#a8a8b3',
    '--mantine-color-placeholder': '#9a9aa6',
    '--mantine-color-error': '#ff9ba6',
    '--mantine-color-anchor': '#e8a96b',
    '--mantine-color-gray-filled': '#9a9aa6',
    '--console-raised': '#2e2e2e',
    '--console-grid': '#3f3f46',
    '--console-target': '#4a3a2c',
    '--console-sent': '#a85f24',
    '--console-received': '#f0c79f',
  },
});
