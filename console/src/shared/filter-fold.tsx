import { AccordionChevron, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './filter-fold.module.css';

interface FilterFoldProps {
  /** Number of filters that are set. */
  readonly count: number;
  readonly children: ReactNode;
}

/** Hides filters behind a button on a phone, where they would push the list off the screen. */
export function FilterFold({ count, children }: FilterFoldProps) {
  const { t } = useTranslation();
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
        rightSection={<AccordionChevron className={classes.chevron} />}
      >
        {t(count === 0 ? 'common.filters' : 'common.filtersOf', { count })}
      </Button>
      <search id={id} className={isOpen ? undefined : classes.folded}>
        {children}
      </search>
    </>
  );
}
