import type { Log } from '#src/foundation/log.ts';
import type { Signals } from '#src/signals/signals.ts';
import type { Storage } from '#src/storage/database/database.ts';
import type { Settings } from '../settings.ts';

export interface RunningRole {
  /** Ports, by the field name that the `started` log event uses. */
  readonly ports?: Readonly<Record<string, number | undefined>>;
  /** Prepares to stop: the role still serves requests, but closes each connection after its response. */
  drain?(): void;
  /** Stops gracefully, which can take some time. Stops immediately when `forceStop` is aborted. */
  stop(forceStop: AbortSignal): Promise<void>;
}

export interface RoleDependencies {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly signals: Signals;
  readonly log: Log;
}

export interface RoleModule {
  /** Checks that the types of the settings do not cover. It runs before any connection is opened. */
  checkSettings(settings: Settings): void;
  start(dependencies: RoleDependencies): Promise<RunningRole>;
}
