import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Certificate, type Channel, vendors } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf, environmentOf } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { ErrorState } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import { useLastResponse } from '../channels/last-response.ts';
import { CheckResult } from './check-result.tsx';
import { expiryOf } from './expiry.ts';

interface CredentialCardProps {
  readonly certificate: Certificate;
  /** Undefined until it is loaded. */
  readonly channel: Channel | undefined;
  /** Devices with a receipt in the last seven days. Undefined until it is loaded. */
  readonly received: bigint | undefined;
}

/** Saved credentials with their expiry, the state of their channel, and a check at the vendor. */
export function CredentialCard({ certificate, channel, received }: CredentialCardProps) {
  const { t } = useTranslation();
  const { time, ago, number } = useFormat();
  const { api, app, can } = useApp();
  const lastResponse = useLastResponse();
  const { provider, environment } = certificate;
  const name = channelOf(provider);
  const check = useMutation({ mutationFn: () => api.admin.certificate.check({ provider, environment }) });
  const expiry = expiryOf(certificate.expire, Date.now());
  const facts = [
    [t('credentials.name'), certificate.name || '–'],
    [t('credentials.appId'), certificate.app_id || '–'],
    [t('credentials.expiry'), certificate.expire === null ? t('credentials.noExpiry') : time(certificate.expire)],
    [t('setup.status'), statusOf(channel)],
    [t('responses.title'), channel ? lastResponse(channel.last_response) : '–'],
    // Receipts do not name their environment.
    ...(environment === 1 ? [[t('setup.receivedWeek'), receipts()] as const] : []),
    ...(environment === 1 && vendors[provider]?.sendsReceipts
      ? [[t('setup.lastReceipt'), lastReceipt()] as const]
      : []),
    [
      t('credentials.saved'),
      `${ago(certificate.updated_at)} · ${t('credentials.version', { version: certificate.version })}`,
    ],
  ];

  function receipts(): string {
    if (received === undefined) return '–';
    return received === 0n && !vendors[provider]?.sendsReceipts ? t('setup.noReceipts') : number(received);
  }

  function lastReceipt(): string {
    if (!channel) return '–';
    return channel.last_receipt_at === null ? t('setup.noReceiptYet') : ago(channel.last_receipt_at);
  }

  function statusOf(state: Channel | undefined): string {
    if (!state) return '–';
    if (!state.open)
      return t('channels.since', { time: ago(state.closed_at ?? serverNow()), reason: state.reason || '–' });
    return t(state.spent.length > 0 ? 'channels.quota' : 'channels.open');
  }

  return (
    <Paper withBorder p="md">
      <Stack gap="sm" h="100%">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t(`channel.${name}`)}
          </Title>
          <Group gap="xs">
            {channel?.open === false && <Badge color="red">{t('channels.paused')}</Badge>}
            {expiry === 'expired' && <Badge color="red">{t('credentials.expired')}</Badge>}
            {expiry === 'soon' && <Badge color="yellow">{t('credentials.expiresSoon')}</Badge>}
            <Text size="sm" c="dimmed">
              {t(`common.environments.${environmentOf(environment)}`)}
            </Text>
          </Group>
        </Group>
        {facts.map(([fact, value]) => (
          <Group key={fact} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Text size="sm" c="dimmed" miw="fit-content">
              {fact}
            </Text>
            <Text size="sm" ta="right" lineClamp={2} title={value} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Group>
        ))}
        {check.isError && <ErrorState error={check.error} title={t('credentials.check')} />}
        {check.data && (
          <CheckResult
            response={check.data}
            call={{ path: '/admin/certificate/check', request: { provider, environment } }}
          />
        )}
        {can('admin') && (
          <Group mt="auto" grow>
            <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
              {t('credentials.check')}
            </Button>
            <Button
              variant="default"
              aria-label={t('setup.editNamed', { channel: t(`channel.${name}`) })}
              renderRoot={(props) => (
                <Link
                  to="/app/$appId/credentials/$channel"
                  params={{ appId: app.app_id, channel: name }}
                  search={environment === 0 ? { environment: '0' } : {}}
                  {...props}
                />
              )}
            >
              {t('setup.edit')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
