import { Select, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isId } from '../../shared/ids.ts';
import type { AudienceKind, Notification } from './notification.ts';

const kinds: readonly AudienceKind[] = ['all', 'tag', 'alias', 'user_id', 'push_token'];
/** Ends of a value besides Enter. Tags and aliases can contain spaces and commas. */
const splitChars = { tag: ['\n'], alias: ['\n'], user_id: [',', ' ', '\n'], push_token: [',', ' ', '\n'] };

interface AudienceFieldsProps {
  readonly notification: Notification;
  readonly change: (fields: Partial<Notification>) => void;
}

export function AudienceFields({ notification: { audienceKind, values }, change }: AudienceFieldsProps) {
  const { t } = useTranslation();
  const invalid = audienceKind === 'user_id' && values.some((value) => !isId(value));
  return (
    <>
      <Select
        label={t('compose.audience')}
        data={kinds.map((value) => ({ value, label: t(`tasks.audiences.${value}`) }))}
        value={audienceKind}
        onChange={(kind) => kind && change({ audienceKind: kind as AudienceKind, values: [] })}
        allowDeselect={false}
      />
      {audienceKind !== 'all' && (
        <TagsInput
          label={t(`compose.values.${audienceKind}`)}
          description={t('compose.valuesHint')}
          value={[...values]}
          onChange={(list) => change({ values: list })}
          error={invalid && t('compose.idInvalid')}
          acceptValueOnBlur
          // Case matters in tags, aliases and push tokens, but Mantine ignores it.
          isDuplicate={(value, current) => current.includes(value)}
          splitChars={splitChars[audienceKind]}
        />
      )}
    </>
  );
}
