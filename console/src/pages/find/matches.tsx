import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminLookupResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { FindLink } from '../../shared/find-link.tsx';
import { Notice } from '../../shared/notice.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';

/** Maximum number of matches in a response of `/admin/lookup`. */
const MATCHES_MAX = 20;

type Match = AdminLookupResponse['list'][number];

/** The users, devices and tasks that match a text. A single user or device is opened if the search was complete. */
export function Matches({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const matches = useQuery({ queryKey: [app.app_id, 'lookup', text], queryFn: () => api.admin.lookup({ text }) });
  return (
    <QueryStates query={matches}>
      {({ list, incomplete }) => (
        <>
          {incomplete && <Notice color="yellow">{t('find.incomplete')}</Notice>}
          {list.length >= MATCHES_MAX && <Notice color="blue">{t('find.first', { number: list.length })}</Notice>}
          {list.length === 0 && <EmptyState title={t('find.none', { text })} hint={t('find.noneHint')} />}
          {list.length === 1 && list[0] && isRecipient(list[0]) && !incomplete ? (
            <Navigate
              to="/app/$appId/find"
              params={{ appId: app.app_id }}
              search={{ text, ...recipientOf(list[0]) }}
              replace
            />
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {list.map((match) => (
                <MatchItem key={`${match.kind} ${match.matched} ${keyOf(match)}`} text={text} match={match} />
              ))}
            </Stack>
          )}
        </>
      )}
    </QueryStates>
  );
}

const isRecipient = ({ kind, user_id, push_token }: Match): boolean =>
  (kind === 'user' && user_id !== null) || (kind === 'device' && (push_token !== null || user_id !== null));

/** Returns the part of the address that selects a user or device. */
function recipientOf({ kind, user_id, push_token }: Match): { user_id?: string; push_token?: string } {
  if (kind === 'device' && push_token !== null) return { push_token };
  return user_id === null ? {} : { user_id: String(user_id) };
}

const keyOf = ({ user_id, push_token, device_guid, task_id, group_id }: Match): string =>
  [user_id, push_token, device_guid, task_id, group_id].join(' ');

function MatchItem({ text, match }: { readonly text: string; readonly match: Match }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder component="li" p="sm">
      <Group gap="sm">
        <Badge>{t(`find.kinds.${match.kind}`)}</Badge>
        <MatchLink text={text} match={match}>
          {match.label}
        </MatchLink>
        <Text size="sm" c="dimmed">
          {t(`find.fields.${match.matched}`)}
        </Text>
        {match.kind === 'device' && match.device_guid !== null && !isRecipient(match) && (
          <LoggedOutDevice deviceGuid={match.device_guid} />
        )}
      </Group>
    </Paper>
  );
}

/** A device after a logout. It has no push token and no bindings, so an operator can only delete it. */
function LoggedOutDevice({ deviceGuid }: { readonly deviceGuid: string }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const request = { device_guid: deviceGuid };
  const remove = () =>
    confirm({
      title: t('find.deleteTitle'),
      text: t('find.deleteText', { device: deviceGuid }),
      action: t('find.deleteDevice'),
      call: { path: '/admin/device/delete', request },
      run: () =>
        api.admin.device.delete(request).then(() => queries.invalidateQueries({ queryKey: [app.app_id, 'lookup'] })),
    });
  return (
    <>
      <Text size="sm">{t('find.loggedOut')}</Text>
      {can('admin') && (
        <Button size="xs" variant="default" onClick={remove} aria-label={`${t('find.deleteDevice')}: ${deviceGuid}`}>
          {t('find.deleteDevice')}
        </Button>
      )}
    </>
  );
}

function MatchLink({ text, match, children }: { text: string; match: Match; children: ReactNode }) {
  const { app } = useApp();
  const params = { appId: app.app_id };
  if (match.task_id !== null) {
    const taskParams = { ...params, taskId: String(match.task_id) };
    return (
      <Anchor renderRoot={(props) => <Link to="/app/$appId/tasks/$taskId" params={taskParams} {...props} />}>
        {children}
      </Anchor>
    );
  }
  if (match.group_id !== null) {
    const groupParams = { ...params, groupId: String(match.group_id) };
    return (
      <Anchor renderRoot={(props) => <Link to="/app/$appId/groups/$groupId" params={groupParams} {...props} />}>
        {children}
      </Anchor>
    );
  }
  if (!isRecipient(match)) return <Text>{children}</Text>;
  return <FindLink search={{ text, ...recipientOf(match) }}>{children}</FindLink>;
}
