import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApp } from './api.ts';

interface FindLinkProps extends AnchorProps {
  /** The user or device, and the notification. */
  readonly search: { text?: string; user_id?: string; push_token?: string; task_id?: string };
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A link to the page Find, which explains what happened to the notifications of a user or device. */
export function FindLink({ search, ...anchor }: FindLinkProps) {
  const { app } = useApp();
  const params = { appId: app.app_id };
  return (
    <Anchor
      {...anchor}
      renderRoot={(props) => <Link to="/app/$appId/find" params={params} search={search} {...props} />}
    />
  );
}
