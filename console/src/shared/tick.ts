import { useSyncExternalStore } from 'react';

/** Relative times are shown in minutes after the first minute, so they are at most half a minute late. */
const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let ticks = 0;

/** Renders a component again every 30 seconds, because relative times change without new data. */
export function useTick(): void {
  useSyncExternalStore(onTick, () => ticks);
}

/** Calls the listener at each tick until the returned function is called. All listeners share one timer. */
export function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  ticks++;
  for (const listener of listeners) listener();
}
