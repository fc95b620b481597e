import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CarillonError } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { CsvButton } from '../../shared/csv-button.tsx';
import { Notice } from '../../shared/notice.tsx';
import { Section } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { Funnel } from './funnel.tsx';
import { funnelRows, obstaclesOf } from './funnel-rows.ts';
import { channelsToCsv } from './task-csv.ts';

/** Error code of the report if the counters are deleted too, or if the task never existed. */
const NO_SUCH_TASK_CODE = 12011;

/** A task that is not in the list. Its counters are kept longer than its content. */
export function DeletedTask({ taskId }: { readonly taskId: string }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const report = useQuery({
    queryKey: [app.app_id, 'report', taskId, 'deleted'],
    queryFn: () =>
      api.push.task.report({ task_id: BigInt(taskId) }).catch((error: unknown) => {
        if (error instanceof CarillonError && error.code === NO_SUCH_TASK_CODE) return null;
        throw error;
      }),
  });
  return (
    <QueryStates query={report}>
      {(found) => {
        if (!found) return <EmptyState title={t('task.missing', { id: taskId })} hint={t('task.missingHint')} />;
        const rows = funnelRows(undefined, found);
        return (
          <>
            <Notice color="blue">{t('task.deleted')}</Notice>
            <Section
              title={t('task.funnel')}
              hint={t('task.funnelHint')}
              actions={
                <CsvButton
                  size="xs"
                  label={t('csv.channels')}
                  file={`task-${taskId}-channels.csv`}
                  content={() => channelsToCsv(found)}
                />
              }
              flush
            >
              {rows.length > 0 ? (
                <Funnel rows={rows} obstacles={obstaclesOf([])} />
              ) : (
                <EmptyState title={t('task.noneUsed')} hint={t('task.noneUsedHint')} />
              )}
            </Section>
          </>
        );
      }}
    </QueryStates>
  );
}
