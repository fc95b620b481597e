import { Badge, Group, Select, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Operator } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { DataTable } from '../../shared/data-table.tsx';
import { DisableButton } from '../../shared/disable-button.tsx';
import { ForRole } from '../../shared/for-role.tsx';
import { Page } from '../../shared/page.tsx';
import { PagedList } from '../../shared/paged-list.tsx';
import { EmptyState } from '../../shared/query-states.tsx';
import { type Role, sessionQuery } from '../../shared/session.ts';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { CreateOperator } from './create-operator.tsx';
import { EditOperator } from './edit-operator.tsx';
import { OperatorSessions } from './operator-sessions.tsx';
import classes from './operators.module.css';

const roles: readonly Role[] = ['viewer', 'sender', 'admin'];
const PAGE_SIZE = 50;

/** The operators of the installation, and their roles in this app, for platform operators. */
export function OperatorsPage() {
  const { t } = useTranslation();
  return (
    <ForRole needs="platform" title={t('operators.title')}>
      <Operators />
    </ForRole>
  );
}

function Operators() {
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
      description={t('operators.description', { app: app.name || app.app_id })}
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
          <DataTable
            head={
              <>
                <Table.Th>{t('operators.operator')}</Table.Th>
                <Table.Th visibleFrom="sm">{t('operators.role')}</Table.Th>
                <Table.Td visibleFrom="sm" />
              </>
            }
          >
            {list.map((operator) => (
              <OperatorRow key={String(operator.operator_id)} operator={operator} />
            ))}
          </DataTable>
        )}
      </PagedList>
    </Page>
  );
}

function OperatorRow({ operator }: { readonly operator: Operator }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { operator_id } = operator;
  const confirm = useConfirm();
  const refresh = () => queries.invalidateQueries({ queryKey: ['operators'] });
  const names = { name: operator.name, app: app.name || app.app_id };
  const setRole = (role: Role | null) => {
    const request = { operator_id, app_id: app.app_id, ...(role !== null && { role }) };
    confirm({
      ...(role === null
        ? { title: t('operators.removeTitle'), text: t('operators.removeText', names), action: t('operators.remove') }
        : {
            title: t('operators.setTitle'),
            text: t('operators.setText', { ...names, role: t(`app.roles.${role}`) }),
            action: t('operators.set'),
            isHarmless: true,
          }),
      call: { path: '/operator/role/set', request },
      run: () => api.operator.role.set(request).then(refresh),
    });
  };
  const role = operator.apps.find(({ app_id }) => app_id === app.app_id)?.role ?? null;
  const buttons = (
    <>
      <EditOperator operator={operator} />
      <OperatorSessions operator={operator} />
      {/* The API does not let operators disable themselves. */}
      {operator_id !== session.operator_id && (
        <DisableButton
          isDisabled={operator.disabled}
          name={operator.name}
          disable={{
            title: t('operators.disableTitle'),
            text: t('operators.disableText', names),
            call: { path: '/operator/disable', request: { operator_id } },
            run: () => api.operator.disable({ operator_id }).then(refresh),
          }}
          enable={{
            title: t('operators.enableTitle'),
            text: t('operators.enableText', names),
            call: { path: '/operator/enable', request: { operator_id } },
            run: () => api.operator.enable({ operator_id }).then(refresh),
          }}
        />
      )}
    </>
  );
  const roleField = operator.is_platform ? (
    <Badge color="blue">{t('app.platform')}</Badge>
  ) : (
    <Select
      aria-label={t('operators.roleOf', { name: operator.name })}
      placeholder={t('operators.noRole')}
      data={roles.map((value) => ({ value, label: t(`app.roles.${value}`) }))}
      value={role}
      onChange={(value) => value !== role && setRole(value as Role | null)}
      clearable
      // Otherwise, a click on the current role would remove it.
      allowDeselect={false}
      w={150}
    />
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
          <Stack hiddenFrom="sm" gap="xs" align="flex-start" mt={4}>
            {roleField}
            <Group gap="xs">{buttons}</Group>
          </Stack>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">{roleField}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {buttons}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
