import { Anchor, Button, Group, Modal, Paper, Stack, Table, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState, ErrorState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';

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
      <QueryStates query={groups}>
        {({ list, next }) => (
          <>
            <Paper withBorder>
              {list.length > 0 ? (
                <Table highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('groups.group')}</Table.Th>
                      <Table.Th ta="right">{t('groups.id')}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
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
                  </Table.Tbody>
                </Table>
              ) : (
                <EmptyState title={t('groups.empty')} hint={t('groups.emptyHint')} />
              )}
            </Paper>
            {next !== null && (
              <Group justify="flex-end">
                <Button
                  variant="default"
                  renderRoot={(props) => (
                    <Link to="/app/$appId/groups" params={params} search={{ after: String(next) }} {...props} />
                  )}
                >
                  {t('common.next')}
                </Button>
              </Group>
            )}
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function CreateGroup() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState('');
  const creation = useMutation({
    mutationFn: () => api.admin.group.create({ name: name.trim() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [app.app_id, 'groups'] });
      setName('');
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <>
      <Button onClick={open}>{t('groups.create')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('groups.create')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <form onSubmit={submit}>
          <Stack>
            {creation.error && <ErrorState error={creation.error} title={t('operators.failed')} />}
            <TextInput
              label={t('groups.name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" loading={creation.isPending}>
                {t('groups.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
