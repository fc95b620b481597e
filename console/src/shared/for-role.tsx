import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type AppAccess, useApp } from './api.ts';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

interface ForRoleProps {
  readonly needs: Parameters<AppAccess['can']>[0];
  /** The title of the page for other operators, who can open its address too. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The content of a page for operators with a role. */
export function ForRole({ needs, title, children }: ForRoleProps) {
  const { t } = useTranslation();
  const { can } = useApp();
  if (can(needs)) return children;
  return (
    <Page title={title}>
      <Notice color="yellow">{t('common.noPermission')}</Notice>
    </Page>
  );
}
