import { Anchor, Table, TextInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { DialogButton } from '../../shared/dialog-button.tsx';
import { DialogForm } from '../../shared/dialog-form.tsx';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { useTextFields } from '../../shared/text-fields.ts';

const PAGE_SIZE = 50;

/** All groups of the app, by ID. */
export function GroupsPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const { after } = useSearch({ from: '/app/$appId/groups' });
  const request = { limit: PAGE_SIZE, ...(after !== undefined && { after: BigInt(after) }) };
  const groups = useQuery({
    queryKey: [app.app_id, 'groups', after ?? null],
    queryFn: () => api.admin.group.list(request),
    placeholderData: keepPreviousData,
  });
  const params = { appId: app.app_id };
  return (
    <Page
      title={t('groups.title')}
      description={t('groups.description')}
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/group/list', request }} />
          {can('admin') && <CreateGroup />}
        </>
      }
    >
      <PagedList
        query={groups}
        order="id"
        empty={() => <EmptyState title={t('groups.empty')} hint={t('groups.emptyHint')} />}
      >
        {({ list }) => (
          <DataTable
            highlightOnHover
            head={
              <>
                <Table.Th>{t('groups.group')}</Table.Th>
                <Table.Th ta="right">{t('groups.id')}</Table.Th>
              </>
            }
          >
            {list.map(({ group_id, name }) => {
              const to = { ...params, groupId: String(group_id) };
              return (
                <Table.Tr key={to.groupId}>
                  <Table.Td>
                    <Anchor
                      size="sm"
                      fw={500}
                      renderRoot={(props) => <Link to="/app/$appId/groups/$groupId" params={to} {...props} />}
                    >
                      {name || to.groupId}
                    </Anchor>
                  </Table.Td>
                  <Table.Td ta="right">{to.groupId}</Table.Td>
                </Table.Tr>
              );
            })}
          </DataTable>
        )}
      </PagedList>
    </Page>
  );
}

function CreateGroup() {
  const { t } = useTranslation();
  return <DialogButton label={t('groups.create')}>{(close) => <CreateGroupForm close={close} />}</DialogButton>;
}

function CreateGroupForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { values, field } = useTextFields({ name: '' });
  const request = { name: values.name.trim() };
  const creation = useMutation({
    mutationFn: () => api.admin.group.create(request),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [app.app_id, 'groups'] });
      close();
    },
  });
  return (
    <DialogForm
      mutation={creation}
      failed={t('common.notSaved')}
      submit={t('groups.create')}
      isComplete={request.name !== ''}
      call={{ path: '/admin/group/create', request }}
    >
      <TextInput label={t('groups.name')} {...field('name')} required data-autofocus />
    </DialogForm>
  );
}
