import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../sdk/src/index.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { EXPIRY_DAYS } from '../credentials/expiry.ts';
import { type Concern, concernsOf } from './attention.ts';

const colors = { paused: 'red', expired: 'red', quota: 'yellow', expires: 'yellow', throttled: 'blue' } as const;

export function AttentionList({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation();
  const concerns = concernsOf(channels, Date.now());
  if (concerns.length === 0)
    return (
      <Notice color="green" title={t('overview.allGood')}>
        {t('overview.allGoodHint', { days: EXPIRY_DAYS })}
      </Notice>
    );
  return (
    <Stack gap="sm">
      {concerns.map((concern) => (
        <ConcernAlert key={`${concern.kind} ${concern.channel} ${concern.atMs}`} concern={concern} />
      ))}
    </Stack>
  );
}

function ConcernAlert({ concern }: { readonly concern: Concern }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  const details = {
    paused: () =>
      t('overview.pausedSince', { time: time(concern.atMs), reason: concern.kind === 'paused' ? concern.reason : '' }),
    expired: () => t('overview.expiredAt', { time: time(concern.atMs) }),
    expires: () => t('overview.expiresAt', { time: time(concern.atMs) }),
    quota: () => t('overview.quotaUntil', { time: time(concern.atMs) }),
    throttled: () => t('overview.throttledAt', { time: ago(concern.atMs) }),
  };
  return (
    <Notice
      color={colors[concern.kind]}
      title={t(`overview.${concern.kind}`, { channel: t(`channel.${concern.channel}`) })}
    >
      {details[concern.kind]()}
    </Notice>
  );
}
