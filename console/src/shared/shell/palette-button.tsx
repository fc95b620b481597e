import { Button, type ButtonProps } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAllTexts } from '../i18n/i18n.ts';

// The palette and its texts are loaded when it is first opened.
const Palette = lazy(async () => {
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), loadAllTexts()]);
  return { default: Palette };
});

/** Returns a function that opens the command palette, and the palette. The shortcut opens it too. */
export function usePalette(): readonly [open: () => void, palette: ReactNode] {
  const [opens, setOpens] = useState(0);
  const open = () => setOpens((count) => count + 1);
  // An empty list also accepts the shortcut in form fields.
  useHotkeys([['mod+K', open]], []);
  const palette = opens > 0 && (
    <Suspense>
      <Palette opens={opens} />
    </Suspense>
  );
  return [open, palette];
}

interface PaletteButtonProps extends Pick<ButtonProps, 'visibleFrom' | 'hiddenFrom' | 'flex' | 'rightSection'> {
  readonly open: () => void;
}

export function PaletteButton({ open, ...props }: PaletteButtonProps) {
  const { t } = useTranslation();
  return (
    <Button variant="default" onClick={open} title={t('palette.open')} aria-keyshortcuts="Control+K" {...props}>
      {t('palette.button')}
    </Button>
  );
}
