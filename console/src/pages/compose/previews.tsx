import { Badge, Code, Group, List, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PushValidateResponse } from '../../../../sdk/src/index.ts';
import { type ChannelName, environmentOf } from '../../shared/channels.ts';
import { useFormat } from '../../shared/format.ts';
import { Section } from '../../shared/page.tsx';
import classes from './previews.module.css';

type Preview = PushValidateResponse['previews'][number];

/** How each channel displays the notification, after the truncation by its vendor. */
export function Previews({ reach }: { readonly reach: PushValidateResponse | undefined }) {
  const { t } = useTranslation();
  const previews = reach?.previews ?? [];
  if (previews.length === 0) return null;
  return (
    <Section title={t('compose.previews')} hint={t('compose.previewsHint')}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {previews.map((preview) => (
          <ChannelPreview key={`${preview.channel} ${preview.environment}`} preview={preview} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function ChannelPreview({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslation();
  const { number, time } = useFormat();
  const { environment, devices, title, body, big_text, message_class, quota_spent_until, dropped, notes, payload } =
    preview;
  const { quota_used, quota_left } = preview;
  const channel = preview.channel as ChannelName;
  return (
    <Paper withBorder p="sm" component="article" aria-label={t(`channel.${channel}`)}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text fw={600} size="sm">
            {t(`channel.${channel}`)}
          </Text>
          <Text size="xs" c="dimmed">
            {t('compose.devices', { count: Number(devices), number: number(devices) })}
          </Text>
        </Group>
        <div className={classes.notification}>
          {title === null && body === null && big_text === null ? (
            <Text size="sm" c="dimmed">
              {t('compose.nothingShown')}
            </Text>
          ) : (
            <>
              <Text fw={600} size="sm" className={classes.text}>
                {title}
              </Text>
              <Text size="sm" className={classes.text}>
                {body}
              </Text>
              {big_text !== null && <LongText text={big_text} />}
            </>
          )}
        </div>
        <Group gap={4} className={classes.badges}>
          {environment === 0 && <Badge color="gray">{t(`common.environments.${environmentOf(environment)}`)}</Badge>}
          {message_class !== null && <Badge color="blue">{message_class}</Badge>}
          {quota_spent_until !== null && (
            <Badge color="red">{t('compose.quotaSpent', { time: time(quota_spent_until) })}</Badge>
          )}
        </Group>
        {quota_used !== null && (
          <Text size="xs" c="dimmed">
            {quota_left === null || quota_spent_until !== null
              ? t('compose.quotaUsed', { used: number(quota_used) })
              : t('compose.quotaLeft', { used: number(quota_used), left: number(quota_left) })}
          </Text>
        )}
        {notes.length > 0 && (
          <List size="xs" spacing={2}>
            {notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        )}
        {dropped.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('compose.dropped', { fields: dropped.join(', ') })}
          </Text>
        )}
        {payload !== null && (
          <details>
            <summary className={classes.summary}>{t('compose.payload')}</summary>
            <Code block tabIndex={0} className={classes.payload}>
              {formatted(payload)}
            </Code>
          </details>
        )}
      </Stack>
    </Paper>
  );
}

/** The text that a device shows when the user expands the notification. */
export function LongText({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="xs" c="dimmed" mt={4}>
        {t('compose.bigText')}
      </Text>
      <Text size="sm" className={classes.text}>
        {text}
      </Text>
    </>
  );
}

/** Formats a payload. A large number would lose digits in JavaScript, so such a payload stays as it is. */
function formatted(payload: string): string {
  if (/[:[,]\s*-?\d{16,}/.test(payload)) return payload;
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
