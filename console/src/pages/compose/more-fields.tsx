import { Anchor, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasMoreFields, isIntent, isMessageJson, type Notification } from './notification.ts';
import classes from './previews.module.css';

interface MoreFieldsProps {
  readonly notification: Notification;
  readonly change: (fields: Partial<Notification>) => void;
}

/** Fields that most notifications do not need. Every other field of the message can be entered as JSON. */
export function MoreFields({ notification, change }: MoreFieldsProps) {
  const { t } = useTranslation();
  // The browser has kept these fields. Later, the operator opens and closes them.
  const [isOpenAtFirst] = useState(hasMoreFields(notification));
  const { imageUrl, badge, bigText, intent, more } = notification;
  return (
    <details open={isOpenAtFirst}>
      <summary className={classes.summary}>{t('compose.more')}</summary>
      <Stack pt="sm">
        <Textarea
          label={t('compose.bigText')}
          description={t('compose.bigTextHint')}
          value={bigText}
          onChange={(event) => change({ bigText: event.currentTarget.value })}
          autosize
          minRows={2}
        />
        <TextInput
          type="url"
          label={t('compose.image')}
          description={t('compose.imageHint')}
          placeholder="https://example.com/banner.png"
          value={imageUrl}
          onChange={(event) => change({ imageUrl: event.currentTarget.value })}
        />
        <TextInput
          label={t('compose.badge')}
          description={t('compose.badgeHint')}
          placeholder="+1"
          value={badge}
          onChange={(event) => change({ badge: event.currentTarget.value })}
        />
        <TextInput
          label={t('compose.intent')}
          description={t('compose.intentHint')}
          placeholder="intent:#Intent;component=com.example/.OrderActivity;end"
          value={intent}
          onChange={(event) => change({ intent: event.currentTarget.value })}
          error={!isIntent(intent) && t('compose.intentInvalid')}
          spellCheck={false}
        />
        <Textarea
          label={t('compose.json')}
          description={
            <>
              {t('compose.jsonHint')}{' '}
              <Anchor href="/reference#push-notify" inherit>
                {t('app.reference')}
              </Anchor>
            </>
          }
          placeholder='{"android": {"channel_id": "orders"}}'
          value={more}
          onChange={(event) => change({ more: event.currentTarget.value })}
          error={!isMessageJson(more) && t('compose.jsonInvalid')}
          autosize
          minRows={2}
          spellCheck={false}
        />
      </Stack>
    </details>
  );
}
