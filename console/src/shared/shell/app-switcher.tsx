import { Select } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../api.ts';
import { sessionQuery } from '../session.ts';

/** Opens the overview of another app. */
export function AppSwitcher() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { app } = useApp();
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Select
      aria-label={t('app.switchApp')}
      data={session.apps.map(({ app_id, name }) => ({ value: app_id, label: name || app_id }))}
      value={app.app_id}
      onChange={(appId) => appId && void navigate({ to: '/app/$appId', params: { appId } })}
      allowDeselect={false}
      searchable={session.apps.length > 10}
      w={{ base: 150, sm: 220 }}
    />
  );
}
