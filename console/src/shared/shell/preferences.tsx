import { Group, type MantineColorScheme, Select, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { changeLanguage, type Language, languages } from '../i18n/i18n.ts';

const schemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];

/** Language and theme, which this browser remembers. */
export function Preferences() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="xs" grow>
      <Select
        size="xs"
        label={t('app.language')}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={i18n.language}
        onChange={(language) => language && void changeLanguage(language as Language)}
        allowDeselect={false}
      />
      <Select
        size="xs"
        label={t('app.theme')}
        data={schemes.map((value) => ({ value, label: t(`app.themes.${value}`) }))}
        value={colorScheme}
        onChange={(scheme) => scheme && setColorScheme(scheme as MantineColorScheme)}
        allowDeselect={false}
      />
    </Group>
  );
}
