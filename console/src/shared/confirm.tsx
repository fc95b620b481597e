import { Button, Group, ModalStack, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiCall } from './code-samples.ts';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './query-states.tsx';
import { CodeDetails } from './show-as-code.tsx';

/** An action that the operator confirms. */
export interface Question {
  readonly title: string;
  /** Explains what will happen. */
  readonly text: string;
  /** The label of the button that runs the action. */
  readonly action: string;
  /** Whether the action takes nothing away, so that its button is not red. */
  readonly isHarmless?: boolean;
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
  const { pathname } = useLocation();
  const [question, setQuestion] = useState<Question>();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const action = useMutation({ mutationFn: async () => question?.run(), onSuccess: close });
  const ask = (asked: Question) => {
    action.reset();
    setQuestion(asked);
    setOpened(true);
  };
  // Otherwise, the Back button would show the question on another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog closes when the page changes
  useEffect(close, [pathname]);
  return (
    <ConfirmContext value={ask}>
      {/* A question that a dialog asks covers this dialog, and Escape closes only the question. */}
      <ModalStack>
        {children}
        {/* A running action keeps the dialog open, because its result would be lost, or close the dialog of another one. */}
        <Dialog opened={opened} close={() => !action.isPending && close()} title={question?.title}>
          <Stack>
            {action.error && <ErrorState error={action.error} title={t('common.notSaved')} />}
            <Text size="sm">{question?.text}</Text>
            {question?.call && <CodeDetails call={question.call} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={action.isPending} data-autofocus>
                {t('common.cancel')}
              </Button>
              <Button
                {...(!question?.isHarmless && { color: 'red' })}
                loading={action.isPending}
                onClick={() => action.mutate()}
              >
                {question?.action}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      </ModalStack>
    </ConfirmContext>
  );
}
