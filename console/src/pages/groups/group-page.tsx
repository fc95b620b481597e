import { Anchor, Button, Group, TagsInput } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { useFormat } from '../../shared/format.ts';
import { isId } from '../../shared/ids.ts';
import { Page, Section } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState, ErrorState } from '../../shared/query-states.tsx';
import { CodeDetails, ShowAsCode } from '../../shared/show-as-code.tsx';
import classes from './group.module.css';

const PAGE_SIZE = 100;
/** At most this many users are added with one call, because the API accepts no more. */
const ADDED_MAX = 500;
/** Separators of a pasted list, such as a column of a spreadsheet. */
const ID_SEPARATORS = [',', ' ', '\n'];

/** The members of one group. */
export function GroupPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const { groupId } = useParams({ from: '/app/$appId/groups/$groupId' });
  const { after } = useSearch({ from: '/app/$appId/groups/$groupId' });
  const group_id = BigInt(groupId);
  const request = { group_id, limit: PAGE_SIZE, ...(after !== undefined && { after: BigInt(after) }) };
  const members = useQuery({
    queryKey: [app.app_id, 'members', groupId, after ?? null],
    queryFn: () => api.admin.group.members(request),
    placeholderData: keepPreviousData,
  });
  const group = useQuery({
    queryKey: [app.app_id, 'group', groupId],
    queryFn: async () => {
      // The list continues after the given ID, so this is the page that starts with the group.
      const { list } = await api.admin.group.list({ after: group_id - 1n, limit: 1 });
      return list.find((one) => one.group_id === group_id) ?? null;
    },
  });
  const params = { appId: app.app_id, groupId };
  return (
    <Page
      title={group.data?.name || t('groups.one', { id: groupId })}
      description={
        <Anchor inherit renderRoot={(props) => <Link to="/app/$appId/groups" params={params} {...props} />}>
          ← {t('groups.title')}
        </Anchor>
      }
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/group/members', request }} />
          {can('admin') && <DeleteGroup groupId={group_id} name={group.data?.name || groupId} />}
        </>
      }
    >
      {can('admin') && <AddMembers groupId={group_id} />}
      <PagedList
        query={members}
        order="id"
        empty={() => <EmptyState title={t('groups.noMembers')} hint={t('groups.noMembersHint')} />}
      >
        {({ list }) => (
          <ul aria-label={t('groups.members')} className={classes.members}>
            {list.map((userId) => (
              <Member key={String(userId)} groupId={group_id} userId={userId} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

function DeleteGroup({ groupId, name }: { readonly groupId: bigint; readonly name: string }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const remove = () =>
    confirm({
      title: t('groups.deleteTitle'),
      text: t('groups.deleteText', { name }),
      action: t('groups.delete'),
      call: { path: '/admin/group/delete', request: { group_id: groupId } },
      run: async () => {
        await api.admin.group.delete({ group_id: groupId });
        await navigate({ to: '/app/$appId/groups', params: { appId: app.app_id } });
        await queries.invalidateQueries({ queryKey: [app.app_id, 'groups'] });
      },
    });
  return (
    <Button variant="default" onClick={remove}>
      {t('groups.delete')}
    </Button>
  );
}

function Member({ groupId, userId }: { readonly groupId: bigint; readonly userId: bigint }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const params = { appId: app.app_id, userId: String(userId) };
  const remove = () =>
    confirm({
      title: t('groups.removeTitle'),
      text: t('groups.removeText', { id: params.userId }),
      action: t('groups.remove'),
      call: { path: '/admin/group/remove', request: { group_id: groupId, list: [userId] } },
      run: async () => {
        await api.admin.group.remove({ group_id: groupId, list: [userId] });
        await queries.invalidateQueries({ queryKey: [app.app_id, 'members'] });
      },
    });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="xs">
      <Anchor size="sm" renderRoot={(props) => <Link to="/app/$appId/users/$userId" params={params} {...props} />}>
        {params.userId}
      </Anchor>
      {can('admin') && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          c="dimmed"
          aria-label={t('groups.removeNamed', { id: params.userId })}
          onClick={remove}
        >
          {t('groups.remove')}
        </Button>
      )}
    </Group>
  );
}

const requestOf = (groupId: bigint, ids: readonly string[]) => ({ group_id: groupId, list: ids.map(BigInt) });

function AddMembers({ groupId }: { readonly groupId: bigint }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { number } = useFormat();
  const [ids, setIds] = useState<string[]>([]);
  const addition = useMutation({
    mutationFn: () => api.admin.group.add(requestOf(groupId, ids)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [app.app_id, 'members'] });
      setIds([]);
    },
  });
  const isValid = ids.every(isId);
  const isTooMany = ids.length > ADDED_MAX;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    addition.mutate();
  };
  return (
    <Section title={t('groups.add')}>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TagsInput
            flex={1}
            miw={220}
            label={t('compose.values.user_id')}
            description={t('compose.valuesHint')}
            value={ids}
            onChange={setIds}
            splitChars={ID_SEPARATORS}
            error={errorText()}
          />
          <Button type="submit" loading={addition.isPending} disabled={ids.length === 0 || !isValid || isTooMany}>
            {t('groups.add')}
          </Button>
        </Group>
      </form>
      {addition.error && <ErrorState error={addition.error} title={t('common.notSaved')} />}
      {ids.length > 0 && isValid && !isTooMany && (
        <CodeDetails call={{ path: '/admin/group/add', request: requestOf(groupId, ids) }} />
      )}
    </Section>
  );

  function errorText(): string | undefined {
    if (!isValid) return t('compose.idInvalid');
    return isTooMany ? t('groups.tooMany', { max: number(ADDED_MAX), number: number(ids.length) }) : undefined;
  }
}
