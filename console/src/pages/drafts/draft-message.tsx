import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PushNotifyRequest, parseJson } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { QueryStates } from '../../shared/query-states.tsx';
import classes from '../compose/previews.module.css';
import { LongText, Previews } from '../compose/previews.tsx';
import { useReach } from '../compose/reach.tsx';
import { AudienceValues } from '../tasks/audience-values.tsx';

/** At most 100 values, as for a task, because the audience can have thousands. */
const VALUES_MAX = 100;

/** The message, the audience, the note and the request of a draft, so that the second person sees what is sent. */
export function DraftMessage({ draftId }: { readonly draftId: bigint }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const draft = useQuery({
    queryKey: [app.app_id, 'draft', String(draftId)],
    queryFn: () => api.push.draft.get({ draft_id: draftId }),
  });
  return (
    <QueryStates query={draft}>
      {({ state, request, note }) => {
        const parsed = parseJson(request) as PushNotifyRequest;
        const { audience, message } = parsed;
        return (
          <Stack gap="xs">
            <div className={classes.notification}>
              {message.title && (
                <Text component="h2" fw={600} m={0} className={classes.text}>
                  {message.title}
                </Text>
              )}
              <Text size="sm" className={classes.text}>
                {message.body || (!message.title && !message.big_text && t('compose.dataOnly'))}
              </Text>
              {message.big_text && <LongText text={message.big_text} />}
            </div>
            <DraftAudience audience={audience} />
            {note !== null && (
              <Text size="sm" className={classes.text}>
                {t('drafts.note', { note })}
              </Text>
            )}
            {state === 'open' && <DraftPreviews request={parsed} />}
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

/** The values of an audience, such as user IDs. The audience of all devices has none. */
function DraftAudience({ audience }: { readonly audience: PushNotifyRequest['audience'] }) {
  const [kind, values] = typeof audience === 'object' ? (Object.entries(audience)[0] ?? []) : [];
  if (kind === undefined || !Array.isArray(values)) return null;
  const distinct = [...new Set(values.map(String))];
  return <AudienceValues kind={kind} values={distinct.slice(0, VALUES_MAX)} count={BigInt(distinct.length)} />;
}

/** How each channel would display the notification. A preview is a limited call, so it is loaded when it is opened. */
function DraftPreviews({ request }: { readonly request: PushNotifyRequest }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const reach = useReach(isOpen ? request : null);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={classes.summary}>{t('compose.previews')}</summary>
      {isOpen && <QueryStates query={reach}>{(found) => <Previews reach={found} />}</QueryStates>}
    </details>
  );
}
