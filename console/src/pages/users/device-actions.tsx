import { Anchor, Button, Menu, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf } from '../../shared/channels.ts';
import { ErrorState } from '../../shared/query-states.tsx';

/** A menu that sends a test notification to one device, unbinds a vendor token, or deletes the device. */
export function DeviceActions({ device }: { readonly device: Device }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const { push_token } = device;
  const onSuccess = () => queries.invalidateQueries({ queryKey: [app.app_id, 'devices'] });
  const unbind = useMutation({
    mutationFn: (provider: number) => api.device.unbind({ provider, push_token }),
    onSuccess,
  });
  const deletion = useMutation({ mutationFn: () => api.admin.device.delete({ push_token }), onSuccess });
  const test = useMutation({
    mutationFn: () =>
      api.push.notify({
        audience: { push_token: [push_token] },
        message: { title: t('device.testTitle'), body: t('device.testBody', { device: device.device_guid }) },
      }),
  });
  const error = unbind.error ?? deletion.error ?? test.error;
  if (!can('sender')) return null;
  return (
    <Stack gap={4} align="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label={t('device.actionsOf', { device: device.device_guid })}>
            {t('device.actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => test.mutate()}>{t('device.test')}</Menu.Item>
          {can('admin') && (
            <>
              {device.bindings.map(({ provider, environment }) => (
                <Menu.Item key={`${provider} ${environment}`} onClick={() => unbind.mutate(provider)}>
                  {t('device.unbind', { channel: t(`channel.${channelOf(provider)}`) })}
                </Menu.Item>
              ))}
              <Menu.Item
                onClick={() =>
                  window.confirm(t('device.deleteConfirm', { device: device.device_guid })) && deletion.mutate()
                }
              >
                {t('device.delete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {test.data && (
        <Text size="xs" role="status">
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/app/$appId/find"
                params={{ appId: app.app_id }}
                search={{ push_token, task_id: String(test.data.task_id) }}
                {...props}
              />
            )}
          >
            {t('device.tested')}
          </Anchor>
        </Text>
      )}
      {error && <ErrorState error={error} title={t('operators.failed')} />}
    </Stack>
  );
}
