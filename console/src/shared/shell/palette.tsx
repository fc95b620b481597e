import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminLookupResponse } from '../../../../sdk/src/index.ts';
import { useApp } from '../api.ts';
import { ErrorText } from '../query-states.tsx';
import { pages } from './pages.ts';

type Match = AdminLookupResponse['list'][number];

const TYPING_MS = 300;
/** Shorter texts are the start of a page name rather than an ID. */
const LOOKUP_CHARACTERS_MIN = 2;

const [store, spotlight] = createSpotlight();

/** Opens a page, or the user, device, task or group with any ID. It opens each time that `opens` changes. */
export function Palette({ opens }: { readonly opens: number }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [text] = useDebouncedValue(query.trim(), TYPING_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key press opens the palette again
  useEffect(() => spotlight.open(), [opens]);
  const isLookup = text.length >= LOOKUP_CHARACTERS_MIN;
  const matches = useQuery({
    queryKey: [app.app_id, 'lookup', text],
    queryFn: () => api.admin.lookup({ text }),
    enabled: isLookup,
  });
  const found = (isLookup && query.trim() === text && matches.data?.list) || [];
  const wanted = query.trim().toLowerCase();
  const shown = pages.filter(({ name, role }) => can(role) && t(`nav.${name}`).toLowerCase().includes(wanted));
  const params = { appId: app.app_id };
  // biome-ignore lint/correctness/useExhaustiveDependencies: other matches replace the selected one
  useEffect(selectFirst, [matches.data, query]);
  return (
    <Spotlight.Root store={store} query={query} onQueryChange={setQuery} shortcut={null} maxHeight={420} scrollable>
      <Spotlight.Search placeholder={t('palette.placeholder')} aria-label={t('palette.placeholder')} />
      <Spotlight.ActionsList>
        {found.map((match) => (
          <Spotlight.Action
            key={`${match.kind} ${match.matched} ${match.label} ${match.push_token}`}
            label={match.label}
            description={`${t(`find.kinds.${match.kind}`)} · ${t(`find.fields.${match.matched}`)}`}
            onClick={() => void navigate({ ...addressOf(match, app.app_id, text) })}
          />
        ))}
        {shown.map(({ name, to }) => (
          <Spotlight.Action key={name} label={t(`nav.${name}`)} onClick={() => void navigate({ to, params })} />
        ))}
        {found.length === 0 && shown.length === 0 && (
          <Spotlight.Empty>
            {matches.isError ? (
              <ErrorText error={matches.error} />
            ) : (
              t(matches.isFetching ? 'common.loading' : 'palette.nothing')
            )}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Selects the first entry. Spotlight does this only when the text changes, before the matches are loaded. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** Returns the page of a match. */
function addressOf({ kind, user_id, push_token, task_id, group_id }: Match, appId: string, text: string) {
  if (kind === 'task') return { to: '/app/$appId/tasks/$taskId', params: { appId, taskId: String(task_id) } } as const;
  if (kind === 'group')
    return { to: '/app/$appId/groups/$groupId', params: { appId, groupId: String(group_id) } } as const;
  if (kind === 'device' && push_token !== null)
    return { to: '/app/$appId/find', params: { appId }, search: { text, push_token } } as const;
  if (user_id !== null) return { to: '/app/$appId/users/$userId', params: { appId, userId: String(user_id) } } as const;
  return { to: '/app/$appId/find', params: { appId }, search: { text } } as const;
}
