import { Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { isId } from '../../shared/ids.ts';
import { Notice } from '../../shared/notice.tsx';
import { isOutcomeUnknown, send } from '../../shared/send.ts';
import { TestOutcome } from '../../shared/test-outcome.tsx';
import { type Notification, toRequest } from './notification.ts';

interface TestSendProps {
  readonly notification: Notification;
  readonly testId: string;
  /** Called when the test was sent, so that another one is not a repetition. */
  readonly startNext: () => void;
}

/** A button that sends the notification to one user first. The browser remembers the user. */
export function TestSend(props: TestSendProps) {
  const { t } = useTranslation();
  return (
    <DialogButton label={t('test.open')} title={t('test.title')} variant="default">
      {() => <TestForm {...props} />}
    </DialogButton>
  );
}

function TestForm({ notification, testId, startNext }: TestSendProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const key = `carillon-test-user-${app.app_id}`;
  const [userId, setUserId] = useLocalStorage({ key, defaultValue: '', getInitialValueInEffect: false });
  const isValid = isId(userId.trim());
  const test = { ...notification, audienceKind: 'user_id', values: [userId.trim()], begin: '' } as const;
  const sending = useMutation({
    // A test for another user is another notification.
    mutationFn: () => send(api, toRequest(test, `${testId}-${userId.trim()}`)),
    onSuccess: startNext,
  });
  return (
    <DialogForm
      mutation={sending}
      failed={t(isOutcomeUnknown(sending.error) ? 'compose.outcomeUnknown' : 'test.failed')}
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
