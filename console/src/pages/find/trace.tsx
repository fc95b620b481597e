import { Anchor, Badge, Button, Code, CopyButton, Group, Stack, Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PushTaskTraceResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import type { ChannelName } from '../../shared/channels.ts';
import { Explanation } from '../../shared/explanation.tsx';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { QueryStates } from '../../shared/query-states.tsx';
import { serverNow } from '../../shared/server-clock.ts';
import classes from './find.module.css';
import type { DeviceKey } from './find-page.tsx';
import { stateColors } from './notifications.tsx';
import { traceRefreshMs } from './refresh.ts';

type TracedDevice = PushTaskTraceResponse['list'][number];

/** Events whose text always contains the detail, in the language of the text. */
const explainedDetails: ReadonlySet<string> = new Set(['throttled', 'quota-spent', 'silent']);

/** The delivery of one notification: the explanation, and every attempt as a timeline. */
export function Trace({ device, taskId }: { readonly device: DeviceKey; readonly taskId: bigint }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const trace = useQuery({
    queryKey: [app.app_id, 'trace', String(taskId), Object.values(device).join()],
    queryFn: () => api.push.task.trace({ task_id: taskId, ...device }),
    refetchInterval: ({ state: { data } }) => traceRefreshMs(data?.list ?? [], serverNow()),
  });
  const params = { appId: app.app_id, taskId: String(taskId) };
  return (
    <Section
      title={t('find.timeline')}
      hint={
        <Anchor size="sm" renderRoot={(props) => <Link to="/app/$appId/tasks/$taskId" params={params} {...props} />}>
          {t('task.title', { id: String(taskId) })}
        </Anchor>
      }
      actions={
        <CopyButton value={location.href}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? t('common.copied') : t('find.copyLink')}
            </Button>
          )}
        </CopyButton>
      }
    >
      <QueryStates query={trace}>
        {({ list, why, incomplete }) => (
          <Stack gap="xl">
            {incomplete && <Notice color="yellow">{t('find.incomplete')}</Notice>}
            {why !== null && (
              <Text className={classes.text}>
                <Explanation text={why} />
              </Text>
            )}
            {list.map((traced) => (
              <TracedDeviceView key={traced.push_token} device={traced} />
            ))}
          </Stack>
        )}
      </QueryStates>
    </Section>
  );
}

function TracedDeviceView({ device }: { readonly device: TracedDevice }) {
  const { t } = useTranslation();
  const { exactTime, number } = useFormat();
  const nameOf = (channel: string) =>
    channel === 'none' ? t('find.noChannel') : t(`channel.${channel as ChannelName}`);
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Badge color={stateColors[device.state]}>{t(`find.states.${device.state}`)}</Badge>
        <Text size="sm" c="dimmed">
          {device.device_guid}
        </Text>
      </Group>
      <Text className={classes.text}>
        <Explanation text={device.why} />
      </Text>
      {device.attempts.length > 0 && (
        <Timeline active={device.attempts.length} bulletSize={14} lineWidth={2}>
          {device.attempts.map(({ at, channel, said, detail, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no ID, and their order never changes
            <Timeline.Item key={i} title={t(`task.codes.${said}`)}>
              <Text size="sm" className={classes.text}>
                <Explanation text={text} />
              </Text>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  {exactTime(at)} · {nameOf(channel)}
                </Text>
                {detail !== null && !explainedDetails.has(said) && !text.includes(detail) && (
                  <Code className={classes.text}>{detail}</Code>
                )}
              </Group>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      {device.channels
        .filter(({ left_out }) => left_out > 0)
        .map(({ channel, left_out }) => (
          <Text key={channel} size="sm" c="dimmed">
            {t('find.leftOut', { count: left_out, number: number(left_out), channel: nameOf(channel) })}
          </Text>
        ))}
    </Stack>
  );
}
