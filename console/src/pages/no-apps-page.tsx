import { Center } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../shared/query-states.tsx';

/** The page for an operator without a role in any app. */
export function NoAppsPage() {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" component="main">
      <EmptyState title={t('app.noApps')} hint={t('app.noAppsHint')} />
    </Center>
  );
}
