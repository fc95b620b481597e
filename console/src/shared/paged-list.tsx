import { Button, Group, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryStates } from './query-states.tsx';

/** A page of a list. `next` is the position of the following page. */
export interface ListPage<Item> {
  readonly list: readonly Item[];
  readonly next: bigint | null;
}

type ListOrder = 'newest' | 'oldest' | 'id';

interface PagedListProps<Page extends ListPage<unknown>> {
  readonly query: UseQueryResult<Page>;
  /** Lists are sorted by time, latest or oldest first, or by ID. */
  readonly order: ListOrder;
  /** Shown instead of a page without items. */
  readonly empty: (page: Page) => ReactNode;
  readonly children: (page: Page) => ReactNode;
  /** A table has a border, unless it is inside a section. Cards have borders themselves. */
  readonly frame?: 'border' | 'section' | 'none';
}

/** A page of a list, and links to the first and the next page. The address contains the position in `after`. */
export function PagedList<Page extends ListPage<unknown>>({
  query,
  order,
  empty,
  children,
  frame = 'border',
}: PagedListProps<Page>) {
  return (
    <QueryStates query={query}>
      {(page) => (
        <>
          {frame === 'border' ? <Paper withBorder>{contentOf(page)}</Paper> : contentOf(page)}
          <PageLinks next={page.next} order={order} px={frame === 'section' ? 'md' : 0} />
        </>
      )}
    </QueryStates>
  );

  function contentOf(page: Page): ReactNode {
    return page.list.length > 0 ? children(page) : empty(page);
  }
}

interface WholeListProps<Item> {
  readonly query: UseQueryResult<readonly Item[]>;
  /** Shown instead of a list without items. */
  readonly empty: ReactNode;
  readonly children: (list: readonly Item[]) => ReactNode;
}

/** A list that is loaded as a whole. */
export function WholeList<Item>({ query, empty, children }: WholeListProps<Item>) {
  return (
    <QueryStates query={query}>
      {(list) => <Paper withBorder>{list.length > 0 ? children(list) : empty}</Paper>}
    </QueryStates>
  );
}

interface PageLinksProps {
  readonly next: bigint | null;
  readonly order: ListOrder;
  readonly px: string | number;
}

function PageLinks({ next, order, px }: PageLinksProps) {
  const { t } = useTranslation();
  const { after } = useSearch({ strict: false });
  if (after === undefined && next === null) return null;
  const isLatestFirst = order === 'newest';
  return (
    <Group justify="flex-end" px={px}>
      {after !== undefined && (
        <PageLink label={t(isLatestFirst ? 'common.newest' : 'common.first')} after={undefined} />
      )}
      {next !== null && <PageLink label={t(isLatestFirst ? 'common.older' : 'common.next')} after={String(next)} />}
    </Group>
  );
}

/** A link to another page of the same list, with the same filters. */
function PageLink({ label, after }: { readonly label: string; readonly after: string | undefined }) {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="." search={(filters: object) => ({ ...filters, after })} {...props} />}
    >
      {label}
    </Button>
  );
}
