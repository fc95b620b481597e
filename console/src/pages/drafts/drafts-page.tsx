import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Draft } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { TaskAudience } from '../tasks/task-state.tsx';
import { Decision } from './decision.tsx';
import { DraftMessage } from './draft-message.tsx';

const REFRESH_MS = 5_000;

/** Notifications that wait for the approval of a second person. */
export function DraftsPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const request = { state: 'open', limit: 50 } as const;
  const drafts = useQuery({
    queryKey: [app.app_id, 'drafts'],
    queryFn: () => api.push.draft.list(request),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={t('drafts.title')}
      description={t('drafts.description')}
      actions={<ShowAsCode call={{ path: '/push/draft/list', request }} />}
    >
      <QueryStates query={drafts}>
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState title={t('drafts.empty')} hint={t('drafts.emptyHint')} />
          ) : (
            <Stack>
              {list.map((draft) => (
                <DraftItem key={String(draft.draft_id)} draft={draft} />
              ))}
            </Stack>
          )
        }
      </QueryStates>
    </Page>
  );
}

function DraftItem({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation();
  const { number, ago } = useFormat();
  return (
    <Paper withBorder p="md" component="article" aria-label={draft.title ?? t('tasks.untitled')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} component="h2">
            {draft.title ?? t('tasks.untitled')}
          </Text>
          {draft.needs_approval && <Badge color="yellow">{t('drafts.needsApproval')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {t('drafts.by', { name: draft.created_by, time: ago(draft.created_at) })} ·{' '}
          <TaskAudience audience={draft.audience} /> ·{' '}
          {t('compose.devices', { count: Number(draft.devices), number: number(draft.devices) })}
        </Text>
        {draft.note !== null && <Text size="sm">{draft.note}</Text>}
        <DraftMessage draftId={draft.draft_id} />
        <Decision draft={draft} />
      </Stack>
    </Paper>
  );
}
