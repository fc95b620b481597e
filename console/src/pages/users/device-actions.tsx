import { Button, Menu, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../../sdk/src/index.ts';
import { useApp } from '../../shared/api.ts';
import { channelOf } from '../../shared/channels.ts';
import { type Question, useConfirm } from '../../shared/confirm.tsx';
import { newRequestId, send } from '../../shared/send.ts';
import { TestOutcome } from '../../shared/test-outcome.tsx';

/** A menu that sends a test notification to one device, unbinds a vendor token, or ends the login. */
export function DeviceActions({ device }: { readonly device: Device }) {
  const { t } = useTranslation();
  const { api, app, can } = useApp();
  const queries = useQueryClient();
  const { push_token } = device;
  const button = useRef<HTMLButtonElement>(null);
  const ask = useConfirm();
  // A dialog returns the focus to the element that had it. The menu item disappears with the menu.
  const confirm = (question: Question) => {
    button.current?.focus();
    ask(question);
  };
  const names = { device: device.device_guid };
  const refresh = () => queries.invalidateQueries({ queryKey: [app.app_id, 'devices'] });
  const unbind = (provider: number) => {
    const channel = t(`channel.${channelOf(provider)}`);
    confirm({
      title: t('device.unbindTitle', { channel }),
      text: t('device.unbindText', { ...names, channel }),
      action: t('device.unbind', { channel }),
      call: { path: '/device/unbind', request: { provider, push_token } },
      run: () => api.device.unbind({ provider, push_token }).then(refresh),
    });
  };
  const logOut = () =>
    confirm({
      title: t('device.logoutTitle'),
      text: t('device.logoutText', names),
      action: t('device.logout'),
      call: { path: '/admin/device/logout', request: { push_token } },
      run: () => api.admin.device.logout({ push_token }).then(refresh),
    });
  const remove = () =>
    confirm({
      title: t('device.deleteTitle'),
      text: t('device.deleteText', names),
      action: t('device.delete'),
      call: { path: '/admin/device/delete', request: { push_token } },
      run: () => api.admin.device.delete({ push_token }).then(refresh),
    });
  const testRequest = {
    audience: { push_token: [push_token] },
    message: { title: t('device.testTitle'), body: t('device.testBody', names) },
  };
  const test = useMutation({
    mutationFn: (request_id: string) => send(api, { ...testRequest, setting: { request_id } }),
  });
  const sendTest = () => {
    // Each attempt has the same key, so that a retry sends the test once.
    const requestId = newRequestId();
    confirm({
      title: t('device.testQuestion'),
      text: t('device.testText', names),
      action: t('test.send'),
      isHarmless: true,
      call: { path: '/push/notify', request: testRequest },
      run: () => test.mutateAsync(requestId),
    });
  };
  if (!can('sender')) return null;
  return (
    <Stack gap={4} align="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button ref={button} size="xs" variant="default" aria-label={t('device.actionsOf', names)}>
            {t('device.actions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={sendTest}>{t('device.test')}</Menu.Item>
          {can('admin') && (
            <>
              {device.bindings.map(({ provider, environment }) => (
                <Menu.Item key={`${provider} ${environment}`} onClick={() => unbind(provider)}>
                  {t('device.unbind', { channel: t(`channel.${channelOf(provider)}`) })}
                </Menu.Item>
              ))}
              <Menu.Item onClick={logOut}>{t('device.logout')}</Menu.Item>
              <Menu.Item onClick={remove}>{t('device.delete')}</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {test.data !== undefined && (
        <Text size="xs" role="status">
          <TestOutcome taskId={test.data} recipient={{ push_token }} />
        </Text>
      )}
    </Stack>
  );
}
