import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { sessionQuery } from '../../shared/session.ts';

/** Time in which an approval can be undone. */
const HOLD_SECONDS = 30;

/** Approves or rejects a draft. If a second person is needed, the creator can only reject it. */
export function Decision({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const { draft_id } = draft;
  const approval = useMutation({
    mutationFn: () => api.push.draft.approve({ draft_id, hold_seconds: HOLD_SECONDS }),
    onSuccess: ({ task_id }) =>
      navigate({ to: '/app/$appId/tasks/$taskId', params: { appId: app.app_id, taskId: String(task_id) } }),
  });
  const rejection = useMutation({
    mutationFn: () => api.push.draft.reject({ draft_id, ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [app.app_id, 'drafts'] }),
  });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isOwn = draft.created_by_kind === 'operator' && draft.created_by_id === session.operator_id;
  const needsOther = draft.needs_approval && isOwn;
  if (!can('sender')) return null;
  const error = approval.error ?? rejection.error;
  return (
    <>
      {error && <ErrorState error={error} title={t('drafts.failed')} />}
      {needsOther && <Notice color="blue">{t('drafts.own')}</Notice>}
      <Group align="flex-end">
        {!needsOther && (
          <Button onClick={() => approval.mutate()} loading={approval.isPending}>
            {t('drafts.approve')}
          </Button>
        )}
        <TextInput
          label={t('drafts.reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          flex={1}
          miw={160}
        />
        <Button variant="default" onClick={() => rejection.mutate()} loading={rejection.isPending}>
          {t('drafts.reject')}
        </Button>
      </Group>
    </>
  );
}
