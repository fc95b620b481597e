import { AccordionChevron, Button, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './development-fold.module.css';

interface DevelopmentFoldProps {
  readonly count: number;
  /** Whether the content is shown before the operator has opened or closed it. */
  readonly isOpenAtFirst: boolean;
  readonly children: ReactNode;
}

/** Hides what belongs to development, because few operators look at it. The address keeps whether it is open. */
export function DevelopmentFold({ count, isOpenAtFirst, children }: DevelopmentFoldProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { development } = useSearch({ strict: false });
  const isOpen = development === undefined ? isOpenAtFirst : development === 'open';
  const next: 'open' | 'folded' = isOpen ? 'folded' : 'open';
  const toggle = () =>
    void navigate({ to: '.', search: (others: object) => ({ ...others, development: next }), replace: true });
  return (
    <>
      <Title order={2} size="h4">
        <Button
          variant="subtle"
          color="gray"
          c="inherit"
          px="xs"
          ml={{ sm: 'calc(-1 * var(--mantine-spacing-xs))' }}
          fz="inherit"
          aria-expanded={isOpen}
          onClick={toggle}
          leftSection={<AccordionChevron className={classes.chevron} />}
        >
          {t('common.developmentOf', { count })}
        </Button>
      </Title>
      {isOpen && children}
    </>
  );
}
