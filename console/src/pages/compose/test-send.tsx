import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Notice } from '../../shared/notice.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { isUserId, type Notification, newRequestId, toRequest } from './notification.ts';

/** A button that sends the notification to one user first. The browser remembers the user. */
export function TestSend({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('test.open')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('test.title')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <TestForm notification={notification} />
      </Modal>
    </>
  );
}

function TestForm({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const key = `carillon-test-user-${app.app_id}`;
  const [userId, setUserId] = useLocalStorage({ key, defaultValue: '', getInitialValueInEffect: false });
  const isValid = isUserId(userId.trim());
  const sending = useMutation({
    mutationFn: () => {
      const test = { ...notification, audienceKind: 'user_id', values: [userId.trim()], begin: '' } as const;
      return api.push.notify(toRequest(test, newRequestId()));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog is inside the form of the page, which would ask for the confirmation of the large send.
    event.stopPropagation();
    if (isValid && !sending.isPending) sending.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('test.hint')}</Text>
        {sending.error && <ErrorState error={sending.error} title={t('test.failed')} />}
        {sending.data && (
          <Notice color="green" role="status">
            <Text size="sm">
              {t('test.sent')}{' '}
              <Anchor
                inherit
                renderRoot={(props) => (
                  <Link
                    to="/app/$appId/find"
                    params={{ appId: app.app_id }}
                    search={{ user_id: userId.trim(), task_id: String(sending.data.task_id) }}
                    {...props}
                  />
                )}
              >
                {t('test.follow')}
              </Anchor>
            </Text>
          </Notice>
        )}
        <TextInput
          label={t('test.userId')}
          value={userId}
          onChange={(event) => setUserId(event.currentTarget.value)}
          error={userId !== '' && !isValid && t('compose.idInvalid')}
          inputMode="numeric"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={sending.isPending} disabled={!isValid}>
            {t('test.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
