import { Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { isId } from '../../shared/ids.ts';
import { Notice } from '../../shared/notice.tsx';
import { isOutcomeUnknown, send } from '../../shared/send.ts';
import { TestOutcome } from '../../shared/test-outcome.tsx';
import { chosenUserOf } from './chosen-user.ts';
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
  // The browser keeps the ID of the user, but no mobile number and no email address.
  const [lastUserId, setLastUserId] = useLocalStorage({ key, defaultValue: '', getInitialValueInEffect: false });
  const [user, setUser] = useState(lastUserId);
  const text = user.trim();
  const testFor = (userId: string) =>
    ({ ...notification, audienceKind: 'user_id', values: [userId], begin: '' }) as const;
  const sending = useMutation({
    mutationFn: async () => {
      const found = chosenUserOf((await api.admin.lookup({ text })).list);
      if (found.kind !== 'one') return found;
      // A test for another user is another notification.
      const request = toRequest(testFor(found.userId), `${testId}-${found.userId}`);
      return { ...found, taskId: await send(api, request) };
    },
    onSuccess: (outcome) => {
      if (outcome.kind !== 'one') return;
      setLastUserId(outcome.userId);
      startNext();
    },
  });
  const outcome = sending.data;
  const userId = outcome?.kind === 'one' ? outcome.userId : text;
  return (
    <DialogForm
      mutation={sending}
      failed={t(isOutcomeUnknown(sending.error) ? 'compose.outcomeUnknown' : 'test.failed')}
      submit={t('test.send')}
      isComplete={text !== ''}
      call={isId(userId) ? { path: '/push/notify', request: toRequest(testFor(userId)) } : undefined}
    >
      <Text size="sm">{t('test.hint')}</Text>
      {outcome?.kind === 'one' && (
        <Notice color={outcome.taskId === null ? 'blue' : 'green'} role="status">
          <Text size="sm">
            <TestOutcome taskId={outcome.taskId} recipient={{ user_id: outcome.userId }} />
          </Text>
        </Notice>
      )}
      <TextInput
        label={t('test.user')}
        value={user}
        onChange={(event) => {
          // The link and the error belong to the user of the last test.
          sending.reset();
          setUser(event.currentTarget.value);
        }}
        // A reset would hide the result of a running call.
        readOnly={sending.isPending}
        error={
          (outcome?.kind === 'none' && t('test.noUser')) || (outcome?.kind === 'several' && t('test.severalUsers'))
        }
        data-autofocus
      />
    </DialogForm>
  );
}
