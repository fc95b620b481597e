import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../shared/api.ts';
import { Section } from '../../shared/page.tsx';
import { ErrorState } from '../../shared/query-states.tsx';
import { CopyValue } from '../../shared/secret.tsx';
import { CodeDetails } from '../../shared/show-as-code.tsx';
import { providerOf, type VendorChannel } from './vendor-forms.ts';

/** Vendors to which Carillon sends the URL with each message. The others need it in their console. */
const placeOf = (channel: VendorChannel) => {
  if (channel === 'xiaomi' || channel === 'oppo') return 'setup.receiptsSent';
  return channel === 'flyme' ? 'setup.receiptsMeizu' : 'setup.receiptsOwn';
};

/** The URL to which the vendor reports deliveries. It is a secret, so it is loaded only on request. */
export function ReceiptsUrl({ channel }: { readonly channel: VendorChannel }) {
  const { t } = useTranslation();
  const { api } = useApp();
  const request = { provider: providerOf(channel) };
  const callback = useMutation({
    mutationFn: () => api.admin.certificate.callback(request),
  });
  const url = callback.data && location.origin + callback.data.path;
  return (
    <Section title={t('setup.receipts')}>
      <Text size="sm">{t('setup.receiptsHint')}</Text>
      <Text size="sm">{t(placeOf(channel))}</Text>
      {callback.error && <ErrorState error={callback.error} title={t('setup.receiptsFailed')} />}
      {url ? (
        <Stack gap="xs">
          <Code block tabIndex={0}>
            {url}
          </Code>
          <Text size="xs" c="dimmed">
            {t('setup.receiptsOrigin', { origin: location.origin })}{' '}
            {callback.data?.signed && t('setup.receiptsSigned')}
          </Text>
          <Group>
            <CopyValue value={url} />
          </Group>
        </Stack>
      ) : (
        <Group>
          <Button variant="default" loading={callback.isPending} onClick={() => callback.mutate()}>
            {t('setup.showReceipts')}
          </Button>
        </Group>
      )}
      <CodeDetails call={{ path: '/admin/certificate/callback', request }} />
    </Section>
  );
}
