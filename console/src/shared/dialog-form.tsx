import { Button, Group, Stack } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import type { ApiCall } from './code-samples.ts';
import { useKeepOpen } from './dialog.tsx';
import { ErrorState } from './query-states.tsx';
import { CodeDetails } from './show-as-code.tsx';

interface DialogFormProps<Data> {
  readonly mutation: UseMutationResult<Data, Error, void>;
  /** The title of the error. */
  readonly failed: string;
  /** The label of the button. */
  readonly submit: string;
  readonly isComplete?: boolean;
  /** The call of the form, without secrets. */
  readonly call?: ApiCall | undefined;
  readonly children: ReactNode;
}

/** The fields of a dialog, with the error of the last attempt and the button. */
export function DialogForm<Data>({
  mutation,
  failed,
  submit,
  isComplete = true,
  call,
  children,
}: DialogFormProps<Data>) {
  // Closing the dialog would not stop a running call, and its result would be lost.
  useKeepOpen(mutation.isPending);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // React also reports the event to a form of the page that contains the dialog.
    event.stopPropagation();
    if (isComplete && !mutation.isPending) mutation.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {mutation.error && <ErrorState error={mutation.error} title={failed} />}
        {children}
        {call && <CodeDetails call={call} />}
        <Group justify="flex-end">
          <Button type="submit" loading={mutation.isPending} disabled={!isComplete}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
