import { Badge, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Draft, PushDraftListRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useFormat } from '../../shared/format.ts';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { TaskAudience } from '../tasks/task-state.tsx';
import { Decided, Decision } from './decision.tsx';
import { DraftMessage } from './draft-message.tsx';
import { type DraftState, draftStates, toDraftSearch } from './draft-search.ts';

const REFRESH_MS = 5_000;
/** The page loads the text of each draft separately. */
const PAGE_SIZE = 20;

/** Notifications that wait for the approval of a second person, and those that were decided in the last days. */
export function DraftsPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const { state = 'open', after } = useSearch({ from: '/app/$appId/drafts' });
  const request: PushDraftListRequest = {
    state,
    limit: PAGE_SIZE,
    ...(after !== undefined && { after: BigInt(after) }),
  };
  const drafts = useQuery({
    queryKey: [app.app_id, 'drafts', state, after ?? null],
    queryFn: () => api.push.draft.list(request),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={t('drafts.title')}
      description={t('drafts.description')}
      actions={<ShowAsCode call={{ path: '/push/draft/list', request }} />}
    >
      <StateFilter state={state} />
      <PagedList
        query={drafts}
        order="newest"
        frame="none"
        empty={() => (
          <EmptyState
            title={t(state === 'open' ? 'drafts.empty' : 'drafts.emptyDecided')}
            hint={t(state === 'open' ? 'drafts.emptyHint' : 'drafts.emptyDecidedHint')}
          />
        )}
      >
        {({ list }) => (
          <Stack>
            {list.map((draft) => (
              <DraftItem key={String(draft.draft_id)} draft={draft} />
            ))}
          </Stack>
        )}
      </PagedList>
    </Page>
  );
}

/** The state of the drafts in the list. It is part of the address. */
function StateFilter({ state }: { readonly state: DraftState }) {
  const { t } = useTranslation();
  const { app } = useApp();
  const navigate = useNavigate();
  const show = (value: string) =>
    void navigate({ to: '/app/$appId/drafts', params: { appId: app.app_id }, search: toDraftSearch({ state: value }) });
  return (
    <Group>
      <SegmentedControl
        aria-label={t('tasks.state')}
        data={draftStates.map((value) => ({ value, label: t(`drafts.states.${value}`) }))}
        value={state}
        onChange={show}
      />
    </Group>
  );
}

function DraftItem({ draft }: { readonly draft: Draft }) {
  const { t } = useTranslation();
  const { number, ago } = useFormat();
  return (
    <Paper withBorder p="md" component="article" aria-label={draft.title ?? t('tasks.untitled')}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            <TaskAudience audience={draft.audience} /> ·{' '}
            <b>{t('compose.devices', { count: Number(draft.devices), number: number(draft.devices) })}</b>
            <Text span inherit c="dimmed">
              {' '}
              · {t('drafts.by', { name: draft.created_by, time: ago(draft.created_at) })}
            </Text>
          </Text>
          {draft.state !== 'open' && (
            <Badge color={draft.state === 'approved' ? 'green' : 'red'}>{t(`drafts.states.${draft.state}`)}</Badge>
          )}
          {draft.state === 'open' && draft.needs_approval && <Badge color="yellow">{t('drafts.needsApproval')}</Badge>}
        </Group>
        <DraftMessage draftId={draft.draft_id} />
        {draft.state === 'open' ? <Decision draft={draft} /> : <Decided draft={draft} />}
      </Stack>
    </Paper>
  );
}
