import { Anchor, Badge, Group, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Section } from '../../shared/page.tsx';

const REFRESH_MS = 5_000;
const steps = [
  { name: 'stepCredentials', to: '/app/$appId/credentials' },
  { name: 'stepDevice', to: '/app/$appId/users' },
  { name: 'stepSend', to: '/app/$appId/compose' },
] as const;

/** The first steps in a new app. They disappear when all of them are done. */
export function FirstSteps(counted: {
  readonly stepCredentials: boolean;
  readonly stepDevice: boolean;
  readonly stepSend: boolean;
}) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  // The number of devices in the app is counted every minute. This request counts immediately.
  const reach = useQuery({
    queryKey: [app.app_id, 'first-device'],
    queryFn: () => api.push.validate({ audience: 'all', message: { title: app.name || app.app_id } }),
    enabled: !counted.stepDevice && can('sender'),
    refetchInterval: REFRESH_MS,
  });
  const done = { ...counted, stepDevice: counted.stepDevice || (reach.data?.devices ?? 0n) > 0n };
  if (steps.every(({ name }) => done[name])) return null;
  return (
    <Section title={t('overview.start')} hint={t('overview.startHint')}>
      <List type="ordered" spacing="xs" size="sm">
        {steps.map(({ name, to }) => (
          <List.Item key={name}>
            <Group gap="sm">
              <Anchor size="sm" renderRoot={(props) => <Link to={to} params={{ appId: app.app_id }} {...props} />}>
                {t(`overview.${name}`)}
              </Anchor>
              <Badge color={done[name] ? 'green' : 'gray'}>{t(done[name] ? 'overview.done' : 'overview.open')}</Badge>
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
