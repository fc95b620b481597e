import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiCall } from './code-samples.ts';
import { ErrorState } from './query-states.tsx';
import { CodeDetails } from './show-as-code.tsx';

/** An action that cannot be undone, or that takes something away. */
export interface Question {
  readonly title: string;
  /** Explains what will happen. */
  readonly text: string;
  /** The label of the button that runs the action. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  /** The call of the action. Calls that only a browser can make have none. */
  readonly call?: ApiCall;
}

const ConfirmContext = createContext<(question: Question) => void>(() => undefined);

/** Returns a function that asks the operator, and runs the action after the confirmation. */
export const useConfirm = () => useContext(ConfirmContext);

/** The dialog in which all pages ask before such an action. It stays open with the error if the action fails. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const [question, setQuestion] = useState<Question>();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const action = useMutation({ mutationFn: async () => question?.run(), onSuccess: close });
  const ask = (asked: Question) => {
    action.reset();
    setQuestion(asked);
    setOpened(true);
  };
  return (
    <ConfirmContext value={ask}>
      {children}
      <Modal
        opened={opened}
        onClose={close}
        title={question?.title}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Stack>
          {action.error && <ErrorState error={action.error} title={t('operators.failed')} />}
          <Text size="sm">{question?.text}</Text>
          {question?.call && <CodeDetails call={question.call} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {t('common.cancel')}
            </Button>
            <Button color="red" loading={action.isPending} onClick={() => action.mutate()}>
              {question?.action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </ConfirmContext>
  );
}
