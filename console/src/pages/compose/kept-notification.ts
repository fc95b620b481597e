import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApp } from '../../shared/api.ts';
import { newRequestId } from '../../shared/send.ts';
import { sessionQuery } from '../../shared/session.ts';
import { emptyNotification, type Notification } from './notification.ts';

/** The content of the form. */
interface Kept {
  readonly notification: Notification;
  /** The same key for every attempt, so that a double click or a retry sends the notification once. */
  readonly requestId: string;
  /** The same for a test, until the test is sent. */
  readonly testId: string;
}

/** The content of the form. The tab keeps it until it is sent, also after a reload or the end of the session. */
export function useKeptNotification() {
  const { app } = useApp();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const key = `carillon-compose-${session.operator_id}-${app.app_id}`;
  const [kept, setKept] = useState(() => read(key));
  useEffect(() => {
    if (kept.notification === emptyNotification) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(kept));
  }, [key, kept]);
  return {
    ...kept,
    /** Another content is another notification, which an earlier attempt must not prevent. */
    change: (fields: Partial<Notification>) =>
      setKept(({ notification }) => ({ ...empty(), notification: { ...notification, ...fields } })),
    startNextTest: () => setKept((current) => ({ ...current, testId: newRequestId() })),
    clear: () => setKept(empty),
  };
}

const empty = (): Kept => ({ notification: emptyNotification, requestId: newRequestId(), testId: newRequestId() });

/** The stored fields can be those of another version of the console. */
function read(key: string): Kept {
  const stored = sessionStorage.getItem(key);
  if (stored === null) return empty();
  const kept = JSON.parse(stored) as Kept;
  return { ...empty(), ...kept, notification: { ...emptyNotification, ...kept.notification } };
}
