import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CarillonError, type User } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { DisableButton } from '../../shared/disable-button.tsx';
import { Page, Section } from '../../shared/page.tsx';
import { EmptyState, QueryStates } from '../../shared/query-states.tsx';
import { ShowAsCode } from '../../shared/show-as-code.tsx';
import { Devices } from './devices.tsx';

/** Error code of a user that does not exist in this app. */
const NO_SUCH_USER_CODE = 10000;

/** One user: login names, devices, and what an operator can do. */
export function UserPage() {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const { userId } = useParams({ from: '/app/$appId/users/$userId' });
  const request = { user_id: BigInt(userId) };
  const user = useQuery({
    queryKey: [app.app_id, 'user', userId],
    queryFn: () =>
      api.admin.user.find(request).catch((error: unknown) => {
        if (error instanceof CarillonError && error.code === NO_SUCH_USER_CODE) return null;
        throw error;
      }),
  });
  const params = { appId: app.app_id };
  return (
    <Page
      title={user.data?.name ?? t('users.one', { id: userId })}
      description={
        <Anchor inherit renderRoot={(props) => <Link to="/app/$appId/users" params={params} {...props} />}>
          ← {t('users.title')}
        </Anchor>
      }
      actions={
        <>
          <ShowAsCode call={{ path: '/admin/user/find', request }} />
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/app/$appId/find" params={params} search={{ user_id: userId }} {...props} />
            )}
          >
            {t('find.notifications')}
          </Button>
        </>
      }
    >
      <QueryStates query={user}>
        {(found) =>
          found ? (
            <>
              <Section title={t('users.account')} actions={can('admin') && <Actions user={found} />}>
                <Names user={found} />
              </Section>
              <Section title={t('users.devices')} flush>
                <Devices userId={found.user_id} />
              </Section>
            </>
          ) : (
            <EmptyState title={t('users.missing', { id: userId })} hint={t('users.missingHint')} />
          )
        }
      </QueryStates>
    </Page>
  );
}

function Names({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const names = [user.name, user.mobile, user.email].filter((name) => name !== null);
  return (
    <Group justify={names.length === 0 ? 'center' : 'flex-start'}>
      {names.length === 0 && <EmptyState title={t('users.noNames')} hint={t('users.noNamesHint')} />}
      {names.map((name) => (
        <Text key={name} size="sm">
          {name}
        </Text>
      ))}
      {user.disabled && <Badge color="gray">{t('operators.disabled')}</Badge>}
    </Group>
  );
}

/** Ends all logins of the user, and disables or enables the user. */
function Actions({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const { user_id } = user;
  const confirm = useConfirm();
  const refresh = () => queries.invalidateQueries({ queryKey: [app.app_id] });
  const name = user.name ?? String(user_id);
  const kick = () =>
    confirm({
      title: t('users.kickTitle'),
      text: t('users.kickText', { name }),
      action: t('users.kick'),
      call: { path: '/admin/user/kick', request: { user_id } },
      run: () => api.admin.user.kick({ user_id }).then(refresh),
    });
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={kick}>
        {t('users.kick')}
      </Button>
      <DisableButton
        isDisabled={user.disabled}
        name={name}
        disable={{
          title: t('users.disableTitle'),
          text: t('users.disableText', { name }),
          call: { path: '/admin/user/disable', request: { user_id } },
          run: () => api.admin.user.disable({ user_id }).then(refresh),
        }}
        enable={{
          title: t('users.enableTitle'),
          text: t('users.enableText', { name }),
          call: { path: '/admin/user/enable', request: { user_id } },
          run: () => api.admin.user.enable({ user_id }).then(refresh),
        }}
      />
    </Group>
  );
}
