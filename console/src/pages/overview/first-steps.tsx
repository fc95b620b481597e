import { Anchor, Badge, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Section } from '../../shared/page.tsx';

const REFRESH_MS = 5_000;
/** The steps with their pages, and the role that each step needs. */
const steps = [
  { name: 'stepCredentials', to: '/app/$appId/credentials', needs: 'admin' },
  { name: 'stepDevice', to: '/app/$appId/users', needs: 'viewer' },
  { name: 'stepSend', to: '/app/$appId/compose', needs: 'sender' },
] as const;

interface FirstStepsProps {
  readonly stepCredentials: boolean;
  readonly stepDevice: boolean;
  readonly stepSend: boolean;
  /** Whether the app works without vendor credentials. */
  readonly isStarted: boolean;
}

/** The first steps in a new app. They disappear when all of them are done, also without the optional credentials. */
export function FirstSteps({ isStarted, ...counted }: FirstStepsProps) {
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
  if (steps.every(({ name }) => done[name] || (name === 'stepCredentials' && isStarted))) return null;
  return (
    <Section title={t('overview.start')} hint={t('overview.startHint')}>
      <List type="ordered" spacing="xs" size="sm">
        {steps.map(({ name, to, needs }) => (
          <List.Item key={name}>
            <Group gap="sm">
              {can(needs) ? (
                <Anchor size="sm" renderRoot={(props) => <Link to={to} params={{ appId: app.app_id }} {...props} />}>
                  {t(`overview.${name}`)}
                </Anchor>
              ) : (
                <Text size="sm">{t(`overview.${name}`)}</Text>
              )}
              <Badge color={done[name] ? 'green' : 'gray'}>{t(done[name] ? 'overview.done' : openState(name))}</Badge>
            </Group>
            {name === 'stepCredentials' && !done[name] && (
              <Text size="sm" c="dimmed">
                {t('overview.stepCredentialsHint')}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const openState = (name: (typeof steps)[number]['name']) =>
  name === 'stepCredentials' ? 'overview.optional' : 'overview.open';
