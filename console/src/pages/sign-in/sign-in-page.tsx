import { Button, Center, Divider, Group, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../shared/notice.tsx';
import { EmptyState, ErrorText, QueryStates } from '../../shared/query-states.tsx';
import { oidcAddress, signIn, signInMethodsQuery } from '../../shared/session.ts';
import { Preferences } from '../../shared/shell/preferences.tsx';

/** Signs an operator in by password or at the OIDC provider, and opens the page that was asked for. */
export function SignInPage() {
  const { t } = useTranslation();
  useDocumentTitle(`${t('signIn.title')} · Carillon`);
  const { return_to: returnTo = '/' } = useSearch({ from: '/sign-in' });
  const methods = useQuery(signInMethodsQuery);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={380} gap="lg">
        <Group justify="center" gap="sm">
          <img src="/console/bell.svg" width={36} height={36} alt="" />
          <Title order={1} size="h3">
            {t('app.name')}
          </Title>
        </Group>
        <Paper withBorder p="lg">
          <QueryStates query={methods}>
            {({ password, oidc }) => (
              <>
                {password && <PasswordForm returnTo={returnTo} />}
                {password && oidc && <Divider label={t('signIn.or')} />}
                {oidc && (
                  <Button
                    component="a"
                    href={oidcAddress(returnTo)}
                    variant={password ? 'default' : 'filled'}
                    fullWidth
                  >
                    {t('signIn.with', { name: oidc.name })}
                  </Button>
                )}
                {!password && !oidc && (
                  <EmptyState title={t('signIn.unavailable')} hint={t('signIn.unavailableHint')} />
                )}
              </>
            )}
          </QueryStates>
        </Paper>
        <Preferences />
      </Stack>
    </Center>
  );
}

function PasswordForm({ returnTo }: { readonly returnTo: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const login = useMutation({
    mutationFn: signIn,
    onSuccess: () => {
      queryClient.clear();
      router.history.push(`/console${returnTo}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    login.mutate({ email: String(form.get('email')).trim(), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {login.isError && (
          <Notice color="red" role="alert">
            <ErrorText error={login.error} />
          </Notice>
        )}
        <TextInput label={t('signIn.email')} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordInput label={t('signIn.password')} name="password" autoComplete="current-password" required />
        <Button type="submit" loading={login.isPending}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  );
}
