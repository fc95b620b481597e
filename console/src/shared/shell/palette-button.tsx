import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAllTexts } from '../i18n/i18n.ts';

// The palette and its texts are loaded when it is first opened.
const Palette = lazy(async () => {
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), loadAllTexts()]);
  return { default: Palette };
});

/** A button and a shortcut that open the command palette. */
export function PaletteButton() {
  const { t } = useTranslation();
  const [opens, setOpens] = useState(0);
  const open = () => setOpens((count) => count + 1);
  // An empty list also accepts the shortcut in form fields.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        title={t('palette.open')}
        aria-keyshortcuts="Control+K"
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        visibleFrom="sm"
      >
        {t('palette.button')}
      </Button>
      {opens > 0 && (
        <Suspense>
          <Palette opens={opens} />
        </Suspense>
      )}
    </>
  );
}
