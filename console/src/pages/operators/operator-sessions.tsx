import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Operator } from '../../../../sdk/src/index.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { Sessions } from '../account/sessions.tsx';

/** A button that shows the browsers in which an operator is signed in, and ends these sessions. */
export function OperatorSessions({ operator }: { readonly operator: Operator }) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const { name } = operator;
  return (
    <>
      <Button size="xs" variant="default" aria-label={`${t('account.sessions')}: ${name}`} onClick={open}>
        {t('account.sessions')}
      </Button>
      <Dialog opened={opened} close={close} title={t('operators.sessionsOf', { name })} size="lg">
        <Sessions operator={operator} />
      </Dialog>
    </>
  );
}
