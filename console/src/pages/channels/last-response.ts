import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../sdk/src/index.ts';
import { useFormat } from '../../shared/format.ts';

/** Returns a function that names the last response of a vendor, such as "Accepted, 2 minutes ago". */
export function useLastResponse(): (response: Channel['last_response']) => string {
  const { t } = useTranslation();
  const { ago } = useFormat();
  return (response) => {
    if (!response) return t('responses.none');
    const result = response.reason || t(`responses.${response.result}`);
    return t('responses.at', { result, time: ago(response.at) });
  };
}
