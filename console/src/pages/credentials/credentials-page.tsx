import { Button, Menu, Paper, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { channelOf } from '../../shared/channels.ts';
import { lastDays } from '../../shared/days.ts';
import { DevelopmentFold } from '../../shared/development-fold.tsx';
import { Page } from '../../shared/page.tsx';
import { EmptyState, LoadingState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CredentialCard } from './credential-card.tsx';
import { type Credential, isUrgent, orderCredentials } from './credential-order.ts';
import { vendorChannels } from './vendor-forms.ts';

const RECEIPT_DAYS = 7;

/** A card for each saved credential, the urgent ones first. */
export function CredentialsPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const credentials = useQuery({
    queryKey: [app.app_id, 'credentials'],
    queryFn: () => api.admin.certificate.list(),
  });
  const channels = useQuery({ queryKey: [app.app_id, 'channels'], queryFn: () => api.admin.channel.list() });
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
      {/* The cards are ordered by the state of their channels, so they would move if they were shown earlier. */}
      {channels.isPending ? (
        <LoadingState />
      ) : (
        <QueryStates query={credentials}>
          {(list) =>
            list.length > 0 ? (
              <Environments {...orderCredentials(list, channels.data ?? [], Date.now())} />
            ) : (
              <Paper withBorder>
                <EmptyState title={t('credentials.empty')} hint={t('credentials.emptyHint')}>
                  {can('admin') && <AddCredentials />}
                </EmptyState>
              </Paper>
            )
          }
        </QueryStates>
      )}
    </Page>
  );
}

interface EnvironmentsProps {
  readonly production: readonly Credential[];
  readonly development: readonly Credential[];
}

/** Production first. Development is folded unless it needs attention. */
function Environments({ production, development }: EnvironmentsProps) {
  return (
    <>
      <Cards credentials={production} />
      {development.length > 0 && (
        <DevelopmentFold
          count={development.length}
          isOpenAtFirst={production.length === 0 || development.some(isUrgent)}
        >
          <Cards credentials={development} />
        </DevelopmentFold>
      )}
    </>
  );
}

function Cards({ credentials }: { readonly credentials: readonly Credential[] }) {
  const { api, app } = useApp();
  const counts = useQuery({
    queryKey: [app.app_id, 'daily', RECEIPT_DAYS],
    queryFn: () => api.push.statistics.daily(lastDays(RECEIPT_DAYS, Date.now())),
  });
  const receivedBy = (provider: number): bigint | undefined =>
    counts.data?.list
      .filter(({ channel }) => channel === channelOf(provider))
      .reduce((sum, { received }) => sum + received, 0n);
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {credentials.map(({ certificate, channel }) => (
        <CredentialCard
          key={`${certificate.provider} ${certificate.environment}`}
          certificate={certificate}
          channel={channel}
          received={receivedBy(certificate.provider)}
        />
      ))}
    </SimpleGrid>
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
