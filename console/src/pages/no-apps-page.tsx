import { Button, Center } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../shared/query-states.tsx';
import { sessionQuery, signOut } from '../shared/session.ts';

/** The page for an operator without a role in any app. The operator can sign in with another account. */
export function NoAppsPage() {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Center mih="60vh" component="main">
      <EmptyState title={t('app.noApps')} hint={t('app.noAppsHint')} isPage>
        <Button variant="default" onClick={() => void signOut(session).then(() => location.assign('/console/sign-in'))}>
          {t('app.signOut')}
        </Button>
      </EmptyState>
    </Center>
  );
}
