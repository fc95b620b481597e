import { Anchor, Button, Grid, Group, List, SegmentedControl, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { vendors } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { useConfirm } from '../../shared/confirm.tsx';
import { Notice } from '../../shared/notice.tsx';
import { Page, Section } from '../../shared/page.tsx';
import { QueryStates } from '../../shared/query-states.tsx';
import { CredentialForm } from './credential-form.tsx';
import { ReceiptsUrl } from './receipts-url.tsx';
import { providerOf, type VendorChannel } from './vendor-forms.ts';

/** The form for the credentials of one vendor, with the steps to get them. */
export function SetupPage() {
  const { t } = useTranslation();
  const { app, can } = useApp();
  const { channel } = useParams({ from: '/app/$appId/credentials/$channel' });
  const params = { appId: app.app_id };
  return (
    <Page
      title={t('setup.title', { channel: t(`channel.${channel}`) })}
      description={
        <Anchor inherit renderRoot={(props) => <Link to="/app/$appId/credentials" params={params} {...props} />}>
          ← {t('setup.back')}
        </Anchor>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}>
          {can('admin') ? (
            <Forms channel={channel} />
          ) : (
            <Notice color="blue" title={t('setup.adminOnly')}>
              {t('setup.adminOnlyHint')}
            </Notice>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
          <Section title={t('setup.steps')}>
            <List type="ordered" spacing="sm" size="sm">
              {t(`setup.stepsOf.${channel}`)
                .split('\n')
                .map((step) => (
                  <List.Item key={step}>{step}</List.Item>
                ))}
            </List>
          </Section>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Forms({ channel }: { readonly channel: VendorChannel }) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/$appId/credentials/$channel' });
  const environment = search.environment === '0' ? 0 : 1;
  const provider = providerOf(channel);
  const credentials = useQuery({
    queryKey: [app.app_id, 'credentials'],
    queryFn: () => api.admin.certificate.list(),
  });
  const [deletions, setDeletions] = useState(0);
  const choose = (value: string) =>
    navigate({
      to: '/app/$appId/credentials/$channel',
      params: { appId: app.app_id, channel },
      search: value === '0' ? { environment: '0' } : {},
      replace: true,
    });
  return (
    <Stack gap="lg">
      <Section title={t('setup.form')}>
        <SegmentedControl
          aria-label={t('setup.environment')}
          data={[
            { value: '1', label: t('common.environments.production') },
            { value: '0', label: t('common.environments.development') },
          ]}
          value={String(environment)}
          onChange={(value) => void choose(value)}
        />
        <QueryStates query={credentials}>
          {(list) => {
            const saved = list.find((one) => one.provider === provider && one.environment === environment);
            return (
              <>
                <CredentialForm
                  // After a deletion, the form must not show the result of an earlier save.
                  key={`${channel} ${environment} ${deletions}`}
                  channel={channel}
                  environment={environment}
                  saved={saved}
                />
                {saved && (
                  <DeleteCredentials
                    channel={channel}
                    environment={environment}
                    onDeleted={() => setDeletions((count) => count + 1)}
                  />
                )}
              </>
            );
          }}
        </QueryStates>
      </Section>
      {vendors[provider]?.sendsReceipts && <ReceiptsUrl channel={channel} />}
    </Stack>
  );
}

interface DeleteProps {
  readonly channel: VendorChannel;
  readonly environment: number;
  /** Called when the list of credentials was loaded again. */
  readonly onDeleted: () => void;
}

function DeleteCredentials({ channel, environment, onDeleted }: DeleteProps) {
  const { t } = useTranslation();
  const { api, app } = useApp();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const request = { provider: providerOf(channel), environment };
  const names = { channel: t(`channel.${channel}`) };
  const remove = () =>
    confirm({
      title: t('setup.deleteTitle', names),
      text: t('setup.deleteText', names),
      action: t('setup.delete'),
      call: { path: '/admin/certificate/delete', request },
      run: async () => {
        await api.admin.certificate.delete(request);
        await queries.invalidateQueries({ queryKey: [app.app_id] });
        onDeleted();
      },
    });
  return (
    <Group>
      <Button variant="outline" color="red" onClick={remove}>
        {t('setup.delete')}
      </Button>
    </Group>
  );
}
