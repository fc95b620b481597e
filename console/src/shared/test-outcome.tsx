import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from './api.ts';
import { FindLink } from './find-link.tsx';

interface TestOutcomeProps {
  /** The task of the test, or null if an operator must approve it. */
  readonly taskId: bigint | null;
  readonly recipient: { readonly user_id: string } | { readonly push_token: string };
}

/** Says whether a test was sent, and links to what happens next. */
export function TestOutcome({ taskId, recipient }: TestOutcomeProps) {
  const { t } = useTranslation();
  const { app } = useApp();
  if (taskId !== null)
    return (
      <>
        {t('test.sent')}{' '}
        <FindLink inherit search={{ ...recipient, task_id: String(taskId) }}>
          {t('test.follow')}
        </FindLink>
      </>
    );
  return (
    <>
      {t('test.waits')}{' '}
      <Anchor
        inherit
        renderRoot={(props) => <Link to="/app/$appId/drafts" params={{ appId: app.app_id }} {...props} />}
      >
        {t('test.openDrafts')}
      </Anchor>
    </>
  );
}
