import { Box, Button, Center, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState, ErrorText } from '../shared/query-states.tsx';
import { CopyValue } from '../shared/secret.tsx';
import { sessionQuery, signOut } from '../shared/session.ts';
import { Preferences } from '../shared/shell/preferences.tsx';

/** The command of the installation pages. The API cannot create the first app, because each call names an app. */
const CREATE_APP_COMMAND = 'node src/bin/init.ts shop "The Shop"';

/**
 * The page for an operator without a role in any app. The operator can sign in with another account. A platform operator
 * has a role in every app, so the installation has no app.
 */
export function NoAppsPage() {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { is_platform: isPlatform } = session;
  const leave = useMutation({
    mutationFn: () => signOut(session),
    onSuccess: () => location.assign('/console/sign-in'),
  });
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack gap="lg" align="center">
        <img src="/console/bell.svg" width={36} height={36} alt="" />
        <EmptyState
          title={t(isPlatform ? 'app.createFirst' : 'app.noApps')}
          hint={t(isPlatform ? 'app.createFirstHint' : 'app.noAppsHint')}
          isPage
        >
          {isPlatform && (
            <>
              <Code block tabIndex={0} maw="100%">
                {CREATE_APP_COMMAND}
              </Code>
              <Text size="sm" c="dimmed" ta="center" maw={480}>
                {t('app.createFirstCompose')}
              </Text>
            </>
          )}
          <Group gap="sm">
            {isPlatform && <CopyValue value={CREATE_APP_COMMAND} />}
            <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
              {t('app.signOut')}
            </Button>
          </Group>
          {leave.error && (
            <Box role="alert" maw={480}>
              <ErrorText error={leave.error} />
            </Box>
          )}
        </EmptyState>
        <Preferences />
      </Stack>
    </Center>
  );
}
