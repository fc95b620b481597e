import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CarillonError, CarillonUnreachable } from '../../../sdk/src/index.ts';
import { errorsZh } from './i18n/errors-zh.ts';
import { Notice } from './notice.tsx';
import classes from './query-states.module.css';

/** Shows the result of a query, or that it is loading or has failed. Earlier data stays visible during an outage. */
export function QueryStates<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data === undefined && query.isPending) return <LoadingState />;
  return (
    <Stack>
      {query.isError && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </Stack>
  );
}

export function LoadingState() {
  const { t } = useTranslation();
  return (
    <Center mih={200} role="status" aria-label={t('common.loading')}>
      <Loader />
    </Center>
  );
}

/** Shows what failed, and for an error of the service also its code and request ID. */
export function ErrorState({
  error,
  title,
  hint,
  retry,
}: {
  readonly error: unknown;
  readonly title?: string;
  readonly hint?: string;
  readonly retry?: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Notice color="red" title={title ?? t('common.failed')} role="alert">
      <Stack gap="xs" align="flex-start">
        <ErrorText error={error} />
        {hint && <Text size="sm">{hint}</Text>}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Notice>
  );
}

/** Messages of the API are in English. They say which field is wrong, so a translation does not replace them. */
export function ErrorText({ error }: { readonly error: unknown }) {
  const { t, i18n } = useTranslation();
  if (error instanceof CarillonUnreachable) return <Text size="sm">{t('common.unreachable')}</Text>;
  if (!(error instanceof CarillonError)) return <Text size="sm">{String(error)}</Text>;
  const explained = i18n.language === 'zh' && errorsZh[error.code];
  return (
    <>
      {explained && <Text size="sm">{explained}</Text>}
      <Text {...(explained ? { size: 'xs', c: 'dimmed' } : { size: 'sm' })} lang="en">
        {error.message}
      </Text>
      <Text size="xs" c="dimmed" className={classes.code}>
        {t('common.errorCode', { code: error.code })}
        {error.requestId && ` · ${t('common.requestId', { id: error.requestId })}`}
      </Text>
    </>
  );
}

/** Shows that a list has no items, and what to do next. */
export function EmptyState({
  title,
  hint,
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly hint: string;
  /** Whether the page has no other heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md">
      <Text fw={600} {...(isPage && { component: 'h1', m: 0, size: 'xl' })}>
        {title}
      </Text>
      <Text size="sm" c="dimmed" ta="center" maw={480}>
        {hint}
      </Text>
      {children}
    </Stack>
  );
}
