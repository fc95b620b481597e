import { Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { isId } from '../../shared/ids.ts';
import { Notice } from '../../shared/notice.tsx';
import { send } from '../../shared/send.ts';
import { TestOutcome } from '../../shared/test-outcome.tsx';
import { type Notification, newRequestId, toRequest } from './notification.ts';

/** A button that sends the notification to one user first. The browser remembers the user. */
export function TestSend({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('test.open')} title={t('test.title')} variant="default">
      {() => <TestForm notification={notification} />}
    </DialogButton>
  );
}

function TestForm({ notification }: { readonly notification: Notification }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const key = `carillon-test-user-${app.app_id}`;
  const [userId, setUserId] = useLocalStorage({ key, defaultValue: '', getInitialValueInEffect: false });
  const isValid = isId(userId.trim());
  const test = { ...notification, audienceKind: 'user_id', values: [userId.trim()], begin: '' } as const;
  const sending = useMutation({ mutationFn: () => send(api, toRequest(test, newRequestId())) });
  return (
    <DialogForm
      mutation={sending}
      failed={t('test.failed')}
      submit={t('test.send')}
      isComplete={isValid}
      call={isValid ? { path: '/push/notify', request: toRequest(test) } : undefined}
    >
      <Text size="sm">{t('test.hint')}</Text>
      {sending.data !== undefined && (
        <Notice color={sending.data === null ? 'blue' : 'green'} role="status">
          <Text size="sm">
            <TestOutcome taskId={sending.data} recipient={{ user_id: userId.trim() }} />
          </Text>
        </Notice>
      )}
      <TextInput
        label={t('test.userId')}
        value={userId}
        onChange={(event) => {
          // The link belongs to the user of the last test.
          sending.reset();
          setUserId(event.currentTarget.value);
        }}
        error={userId !== '' && !isValid && t('compose.idInvalid')}
        inputMode="numeric"
        data-autofocus
      />
    </DialogForm>
  );
}
