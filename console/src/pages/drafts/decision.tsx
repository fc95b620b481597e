import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { UNDO_SECONDS } from '../../shared/send.ts';
import { sessionQuery } from '../../shared/session.ts';
import { CodeDetails } from '../../shared/show-as-code.tsx';

/** Returns a mutation that approves a draft, and opens its task. */
function useApproval(draft_id: bigint) {
  const { api, app } = useApp();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.push.draft.approve({ draft_id, hold_seconds: UNDO_SECONDS }),
    onSuccess: ({ task_id }) =>
      navigate({ to: '/app/$appId/tasks/$taskId', params: { appId: app.app_id, taskId: String(task_id) } }),
  });
}

/** Approves or rejects a draft. If a second person is needed, the creator can only reject it. */
export function Decision({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [isRejecting, setIsRejecting] = useState(false);
  const { draft_id } = draft;
  const approval = useApproval(draft_id);
  const rejectRequest = { draft_id, ...(reason.trim() !== '' && { reason: reason.trim() }) };
  const rejection = useMutation({
    mutationFn: () => api.push.draft.reject(rejectRequest),
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.app_id, 'drafts'] }),
  });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwn = draft.created_by_kind === 'operator' && draft.created_by_id === session.operator_id;
  const needsOther = draft.needs_approval && isOwn;
  if (!can('sender')) return null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    rejection.mutate();
  }
  const error = approval.error ?? rejection.error;
  return (
    <>
      {error && <ErrorState error={error} title={t('drafts.failed')} />}
      {needsOther && <Notice color="blue">{t('drafts.own')}</Notice>}
      {isRejecting ? (
        <Group align="flex-end" component="form" onSubmit={submit}>
          <TextInput
            label={t('drafts.reason')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            flex={1}
            miw={160}
            autoFocus
          />
          <Button type="submit" color="red" loading={rejection.isPending}>
            {t('drafts.reject')}
          </Button>
          <Button variant="default" onClick={() => setIsRejecting(false)}>
            {t('common.cancel')}
          </Button>
        </Group>
      ) : (
        <Group>
          {!needsOther && (
            <Button onClick={() => approval.mutate()} loading={approval.isPending}>
              {t('drafts.approve')}
            </Button>
          )}
          <Button variant="default" onClick={() => setIsRejecting(true)}>
            {t('drafts.startReject')}
          </Button>
        </Group>
      )}
      <CodeDetails
        call={
          isRejecting
            ? { path: '/push/draft/reject', request: rejectRequest }
            : { path: '/push/draft/approve', request: { draft_id, hold_seconds: UNDO_SECONDS } }
        }
      />
    </>
  );
}

/** The person who decided, and the task or the reason. An approval that was interrupted can be repeated. */
export function Decided({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation();
  const { ago, time } = useFormat();
  const { app, can } = useApp();
  const approval = useApproval(draft.draft_id);
  const { state, decided_by, decided_at, reason, task_id } = draft;
  const params = { appId: app.app_id, taskId: String(task_id) };
  return (
    <>
      <Text size="sm" title={decided_at === null ? '' : time(decided_at)}>
        {t('drafts.decided', { name: decided_by, time: decided_at === null ? '–' : ago(decided_at) })}
        {reason !== null && ` · ${t('drafts.because', { reason })}`}
        {task_id !== null && (
          <>
            {' · '}
            <Anchor inherit renderRoot={(props) => <Link to="/app/$appId/tasks/$taskId" params={params} {...props} />}>
              {t('drafts.task')}
            </Anchor>
          </>
        )}
      </Text>
      {approval.error && <ErrorState error={approval.error} title={t('drafts.failed')} />}
      {state === 'approved' && task_id === null && (
        <Notice color="yellow" title={t('drafts.interrupted')}>
          {can('sender') && (
            <Group>
              <Button size="xs" loading={approval.isPending} onClick={() => approval.mutate()}>
                {t('drafts.approve')}
              </Button>
            </Group>
          )}
        </Notice>
      )}
    </>
  );
}
