import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminCertificateCheckResponse } from '../../../../sdk/src/index.ts';
import type { ApiCall } from '../../shared/code-samples.ts';
import { Notice } from '../../shared/notice.tsx';
import { CodeDetails } from '../../shared/show-as-code.tsx';

const colors = { good: 'green', refused: 'red', unknown: 'yellow' } as const;

/** The result of a check at the vendor, in words. */
export function CheckResult({
  response: { result, reason, default_url },
  call,
}: {
  readonly response: AdminCertificateCheckResponse;
  /** The call of the check, unless it was a part of saving. */
  readonly call?: ApiCall;
}) {
  const { t } = useTranslation();
  return (
    <Notice color={colors[result]} role="status">
      <Text size="sm">{t(`credentials.${result}`, { reason })}</Text>
      {!default_url && (
        <Text size="xs" c="dimmed">
          {t('credentials.replacedUrl')}
        </Text>
      )}
      {call && <CodeDetails call={call} />}
    </Notice>
  );
}
