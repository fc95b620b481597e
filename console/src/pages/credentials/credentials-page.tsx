import { Button, Menu, Paper, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { channelOf } from '../../shared/channels.ts';
import { lastDays } from '../../shared/days.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CredentialCard } from './credential-card.tsx';
import { vendorChannels } from './vendor-forms.ts';

const RECEIPT_DAYS = 7;

/** A card for each saved credential. */
export function CredentialsPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const credentials = useQuery({
    queryKey: [app.app_id, 'credentials'],
    queryFn: () => api.admin.certificate.list(),
  });
  const channels = useQuery({ queryKey: [app.app_id, 'channels'], queryFn: () => api.admin.channel.list() });
  const counts = useQuery({
    queryKey: [app.app_id, 'daily', RECEIPT_DAYS],
    queryFn: () => api.push.statistics.daily(lastDays(RECEIPT_DAYS, Date.now())),
  });
  const receivedBy = (provider: number): bigint | undefined =>
    counts.data?.list
      .filter(({ channel }) => channel === channelOf(provider))
      .reduce((sum, { received }) => sum + received, 0n);
  return (
    <Page
      title={t('credentials.title')}
      description={t('credentials.description')}
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/certificate/list', request: {} }} />
          {can('admin') && <AddCredentials />}
        </>
      }
    >
      <QueryStates query={credentials}>
        {(list) =>
          list.length > 0 ? (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
              {list.map((certificate) => (
                <CredentialCard
                  key={`${certificate.provider} ${certificate.environment}`}
                  certificate={certificate}
                  channel={channels.data?.find(
                    ({ provider, environment }) =>
                      provider === certificate.provider && environment === certificate.environment,
                  )}
                  received={receivedBy(certificate.provider)}
                />
              ))}
            </SimpleGrid>
          ) : (
            <Paper withBorder>
              <EmptyState title={t('credentials.empty')} hint={t('credentials.emptyHint')}>
                {can('admin') && <AddCredentials />}
              </EmptyState>
            </Paper>
          )
        }
      </QueryStates>
    </Page>
  );
}

function AddCredentials() {
  const { t } = useTranslation();
  const { app } = useApp();
  return (
    <Menu>
      <Menu.Target>
        <Button>{t('setup.add')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {vendorChannels.map((channel) => (
          <Menu.Item
            key={channel}
            renderRoot={(props) => (
              <Link to="/app/$appId/credentials/$channel" params={{ appId: app.app_id, channel }} {...props} />
            )}
          >
            {t(`channel.${channel}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
