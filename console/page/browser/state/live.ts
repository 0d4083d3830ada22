import { signal } from '@preact/signals';
import type { LiveEvent, LiveLine, LiveState } from '../../../live.ts';
import { listen, type StreamState } from '../api/stream.ts';
import { content, hearOf, load } from './content.ts';
import { isRefused } from './session.ts';

/** The most events that are kept, and shown. */
export const EVENTS_KEPT = 200;

/** Something that happened; `id` tells it from all others. */
export type LiveEntry = ({ readonly id: number } & LiveEvent) | { id: number; type: 'left-out'; count: number };

export const streamState = signal<StreamState>('connecting');
export const liveState = signal<LiveState | undefined>(undefined);
/** Newest first. */
export const liveEntries = signal<readonly LiveEntry[]>([]);
export const isPaused = signal(false);
/** How many came while it was paused. */
export const missedWhilePaused = signal(0);

let end = () => {};
let listeningTo: string | undefined;
let count = 0;

/** Listens to an environment in place of the one before. */
export function listenTo(envId: string | undefined): void {
  if (envId === listeningTo) return;
  listeningTo = envId;
  end();
  liveState.value = undefined;
  liveEntries.value = [];
  if (!envId) return;
  end = listen(envId, {
    line: (line) => take(envId, line),
    state: (state) => {
      // Events were missed while it was disconnected.
      if (state === 'open' && streamState.value === 'broken' && content.value) void load(envId);
      if (state === 'refused') isRefused.value = true;
      streamState.value = state;
    },
  });
}

/** Goes on showing what happens. */
export function resume(): void {
  isPaused.value = false;
  missedWhilePaused.value = 0;
}

function take(envId: string, line: LiveLine): void {
  if (line.type === 'state') {
    liveState.value = line;
    return;
  }
  if (line.type === 'version') {
    hearOf(envId, line.version);
    return;
  }
  if (isPaused.value) {
    missedWhilePaused.value += 1;
    return;
  }
  count += 1;
  liveEntries.value = [{ ...line, id: count } as LiveEntry, ...liveEntries.value].slice(0, EVENTS_KEPT);
}
