import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Operator } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState, ErrorState } from '../../shared/query-states.tsx';
import type { Role } from '../../shared/session.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CreateOperator } from './create-operator.tsx';
import classes from './operators.module.css';

const roles: readonly Role[] = ['viewer', 'sender', 'admin'];
const PAGE_SIZE = 50;

/** The operators of the installation, and their roles in this app. Only platform operators see it. */
export function OperatorsPage() {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const { after } = useSearch({ from: '/app/$appId/operators' });
  const request = { limit: PAGE_SIZE, ...(after !== undefined && { after: BigInt(after) }) };
  const operators = useQuery({
    queryKey: ['operators', after ?? null],
    queryFn: () => api.operator.list(request),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={t('operators.title')}
      description={t('operators.description', { app: app.name })}
      actions={
        <>
          <ShowAsCode call={{ path: '/operator/list', request }} />
          <CreateOperator />
        </>
      }
    >
      <PagedList
        query={operators}
        order="id"
        empty={() => <EmptyState title={t('operators.empty')} hint={t('operators.emptyHint')} />}
      >
        {({ list }) => (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('operators.operator')}</Table.Th>
                <Table.Th>{t('operators.role')}</Table.Th>
                <Table.Td visibleFrom="sm" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map((operator) => (
                <OperatorRow key={String(operator.operator_id)} operator={operator} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PagedList>
    </Page>
  );
}

function OperatorRow({ operator }: { readonly operator: Operator }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { operator_id } = operator;
  const confirm = useConfirm();
  const refresh = () => queries.invalidateQueries({ queryKey: ['operators'] });
  const assignment = useMutation({
    mutationFn: (role: Role) => api.operator.role.set({ operator_id, app_id: app.app_id, role }),
    onSuccess: refresh,
  });
  const enabling = useMutation({ mutationFn: () => api.operator.enable({ operator_id }), onSuccess: refresh });
  const error = assignment.error ?? enabling.error;
  const names = { name: operator.name, app: app.name };
  const removeRole = () =>
    confirm({
      title: t('operators.removeTitle'),
      text: t('operators.removeText', names),
      action: t('operators.remove'),
      call: { path: '/operator/role/set', request: { operator_id, app_id: app.app_id } },
      run: () => api.operator.role.set({ operator_id, app_id: app.app_id }).then(refresh),
    });
  const disable = () =>
    confirm({
      title: t('operators.disableTitle'),
      text: t('operators.disableText', names),
      action: t('operators.disable'),
      call: { path: '/operator/disable', request: { operator_id } },
      run: () => api.operator.disable({ operator_id }).then(refresh),
    });
  const role = operator.apps.find(({ app_id }) => app_id === app.app_id)?.role ?? null;
  const disableButton = (
    <Button
      size="xs"
      variant="default"
      loading={enabling.isPending}
      onClick={() => (operator.disabled ? enabling.mutate() : disable())}
    >
      {t(operator.disabled ? 'operators.enable' : 'operators.disable')}
    </Button>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <Text fw={500} size="sm" className={classes.name}>
            {operator.name} {operator.disabled && <Badge color="gray">{t('operators.disabled')}</Badge>}
          </Text>
          <Text size="xs" c="dimmed" className={classes.name}>
            {operator.email}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`operators.signIn.${operator.sign_in}`)}
          </Text>
          <Group hiddenFrom="sm">{disableButton}</Group>
          {error && <ErrorState error={error} title={t('operators.failed')} />}
        </Stack>
      </Table.Td>
      <Table.Td>
        {operator.is_platform ? (
          <Badge color="blue">{t('app.platform')}</Badge>
        ) : (
          <Select
            aria-label={t('operators.roleOf', { name: operator.name })}
            placeholder={t('operators.noRole')}
            data={roles.map((value) => ({ value, label: t(`app.roles.${value}`) }))}
            value={role}
            onChange={(value) => (value === null ? removeRole() : assignment.mutate(value as Role))}
            clearable
            w={{ base: 130, sm: 150 }}
          />
        )}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {disableButton}
      </Table.Td>
    </Table.Tr>
  );
}
