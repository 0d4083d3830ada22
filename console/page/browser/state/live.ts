import { signal } from '@preact/signals';
import {
  type LiveEvent,
  type LiveLine,
  type LiveState,
  type LiveStep,
  type OpenConnection,
  RECENT_EVENTS,
} from '../../../live.ts';
import { listen, type StreamState } from '../api/stream.ts';
import { content, hearOf, load } from './content.ts';
import { context, isRefused } from './session.ts';

/** An event with a unique id. */
type LiveEntry = ({ readonly id: number } & LiveEvent) | { id: number; type: 'left-out'; count: number };

const STEPS_MS = 600_000;

export const streamState = signal<StreamState>('connecting');
export const liveState = signal<LiveState | undefined>(undefined);
/** The last ten minutes, or since the page was opened if the server does not keep them. */
export const liveSteps = signal<readonly LiveStep[]>([]);
/** Newest first; {@link RECENT_EVENTS} at most. */
export const liveEntries = signal<readonly LiveEntry[]>([]);
/** Undefined if the server does not list them. */
export const openConnections = signal<readonly OpenConnection[] | undefined>(undefined);
export const isPaused = signal(false);
/** Number of events during a pause. */
export const missedWhilePaused = signal(0);

let end = () => {};
let listeningTo: string | undefined;
let count = 0;

/** Follows the events of an environment instead of the previous one. */
export function listenTo(envId: string | undefined): void {
  if (envId === listeningTo) return;
  listeningTo = envId;
  end();
  liveState.value = undefined;
  liveSteps.value = [];
  liveEntries.value = [];
  openConnections.value = undefined;
  if (!envId) return;
  end = listen(envId, context.value?.mode === 'aws', {
    line: (line) => take(envId, line),
    state: (state) => {
      // Events were missed while it was disconnected.
      if (state === 'open' && streamState.value === 'broken' && content.value) void load(envId);
      if (state === 'refused') isRefused.value = true;
      streamState.value = state;
    },
  });
}

/** Pauses or resumes the list of events. */
export function togglePause(): void {
  isPaused.value = !isPaused.value;
  missedWhilePaused.value = 0;
}

function take(envId: string, line: LiveLine): void {
  switch (line.type) {
    case 'state':
      // A deployment keeps its answers, and several instances have kept different ones.
      if (!line.steps && liveState.value && line.at <= liveState.value.at) return;
      liveState.value = line;
      liveSteps.value = line.steps ?? [
        ...liveSteps.value.filter(({ at }) => at > line.at - STEPS_MS),
        { at: line.at, connections: line.connections.total },
      ];
      return;
    case 'connections':
      openConnections.value = line.connections;
      return;
    case 'version':
      hearOf(envId, line.version);
      return;
    case 'recent':
      // The events of the server replace those of this page from before a disconnection.
      if (!isPaused.value) liveEntries.value = line.events.map(entryOf).reverse();
      return;
  }
  if (isPaused.value) {
    missedWhilePaused.value += 1;
    return;
  }
  liveEntries.value = [entryOf(line), ...liveEntries.value].slice(0, RECENT_EVENTS);
}

function entryOf(line: LiveEvent | Extract<LiveLine, { type: 'left-out' }>): LiveEntry {
  count += 1;
  return { ...line, id: count } as LiveEntry;
}
