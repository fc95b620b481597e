import { Select } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApp } from './api.ts';
import { type Sender, senderOptions, toSender } from './senders.ts';
import { sessionQuery } from './session.ts';

/** Maximum number of operators in the list, which is one page of the API. */
const OPERATORS_MAX = 500;

interface SenderSelectProps {
  readonly label: string;
  /** An operator or an admin token, such as `operator:3`. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** The senders of the rows on the page. Only platform operators can list all operators. */
  readonly known: readonly Sender[];
}

/** Selects one operator or one admin token. */
export function SenderSelect({ label, value, onChange, known }: SenderSelectProps) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const tokens = useQuery({ queryKey: [app.app_id, 'tokens'], queryFn: () => api.admin.token.list() });
  const operators = useQuery({
    queryKey: ['operators', 'names'],
    queryFn: () => api.operator.list({ limit: OPERATORS_MAX }),
    enabled: can('platform'),
  });
  const selected = toSender(value);
  const senders: readonly Sender[] = [
    ...(operators.data?.list ?? []).map(({ operator_id, name }) => ({
      kind: 'operator' as const,
      id: operator_id,
      name,
    })),
    ...(tokens.data ?? []).map(({ token_id, name }) => ({ kind: 'admin' as const, id: token_id, name })),
    ...known,
    ...(selected ? [{ ...selected, name: t(`senders.${selected.kind}`, { id: String(selected.id) }) }] : []),
  ];
  const { own, others, programs } = senderOptions(senders, session.operator_id);
  return (
    <Select
      label={label}
      placeholder={t('tasks.any')}
      data={[
        { value: own, label: t('senders.you') },
        { group: t('senders.operators'), items: [...others] },
        { group: t('senders.tokens'), items: [...programs] },
      ]}
      value={value ?? null}
      onChange={(changed) => onChange(changed ?? undefined)}
      searchable
      clearable
    />
  );
}
