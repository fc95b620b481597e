import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PushNotifyRequest } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { QueryStates } from '../../shared/query-states.tsx';
import classes from '../compose/previews.module.css';

/** The message, the note and the request of a draft, so that the second person sees what is sent. */
export function DraftMessage({ draftId }: { readonly draftId: bigint }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const draft = useQuery({
    queryKey: [app.app_id, 'draft', String(draftId)],
    queryFn: () => api.push.draft.get({ draft_id: draftId }),
  });
  return (
    <QueryStates query={draft}>
      {({ request, note }) => {
        const { message } = JSON.parse(request) as Partial<PushNotifyRequest>;
        return (
          <Stack gap="xs">
            <div className={classes.notification}>
              {message?.title && (
                <Text component="h2" fw={600} m={0} className={classes.text}>
                  {message.title}
                </Text>
              )}
              <Text size="sm" className={classes.text}>
                {message?.body || (!message?.title && t('compose.dataOnly'))}
              </Text>
            </div>
            {note !== null && (
              <Text size="sm" className={classes.text}>
                {t('drafts.note', { note })}
              </Text>
            )}
            <details>
              <summary className={classes.summary}>{t('compose.payload')}</summary>
              <Code block tabIndex={0} className={classes.payload}>
                {request}
              </Code>
            </details>
          </Stack>
        );
      }}
    </QueryStates>
  );
}
