import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Page, Section } from '../../shared/page.tsx';
import { sessionQuery } from '../../shared/session.ts';
import { PasswordForm } from './password-form.tsx';
import { Sessions } from './sessions.tsx';

/** The sessions and the password of the operator who is signed in. */
export function AccountPage() {
  const { t } = useTranslation();
  const { data: operator } = useSuspenseQuery(sessionQuery);
  return (
    <Page title={t('nav.account')} description={operator.email}>
      <Section title={t('account.sessions')} hint={t('account.sessionsHint')} flush>
        <Sessions />
      </Section>
      <Section title={t('account.password')} hint={t('account.passwordHint')}>
        <PasswordForm />
      </Section>
    </Page>
  );
}
