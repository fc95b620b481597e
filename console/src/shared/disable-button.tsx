import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Question, useConfirm } from './confirm.tsx';

interface DisableButtonProps {
  readonly isDisabled: boolean;
  /** The name of the user, operator or app, for screen readers. */
  readonly name: string;
  readonly disable: Omit<Question, 'action' | 'isHarmless'>;
  readonly enable: Omit<Question, 'action' | 'isHarmless'>;
}

/** A button that disables a user, an operator or an app after a confirmation, or enables it again. */
export function DisableButton({ isDisabled, name, disable, enable }: DisableButtonProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const action = t(isDisabled ? 'operators.enable' : 'operators.disable');
  const question = isDisabled ? enable : disable;
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${action}: ${name}`}
      onClick={() => confirm({ ...question, action, isHarmless: isDisabled })}
    >
      {action}
    </Button>
  );
}
