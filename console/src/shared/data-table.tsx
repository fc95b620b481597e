import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps extends Omit<TableProps, 'children'> {
  /** The cells of the first row. */
  readonly head: ReactNode;
  /** The other rows. */
  readonly children: ReactNode;
}

/** A table with one row of headings. */
export function DataTable({ head, children, ...props }: DataTableProps) {
  return (
    <Table {...props}>
      <Table.Thead>
        <Table.Tr>{head}</Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}
