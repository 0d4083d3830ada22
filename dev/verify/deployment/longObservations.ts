import { setTimeout as sleep } from 'node:timers/promises';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { type Access, connectionUrl } from './access.ts';
import type { Observation } from './observation.ts';

const MINUTE_MS = 60_000;

/** What takes up to two hours to see; all three are waited for at once. */
export const LONG_OBSERVATIONS: readonly Observation[] = [
  { question: 'how a connection ends on which nothing happens', look: (access) => end(access, 11, false) },
  { question: 'how a connection ends on which there are only pings', look: (access) => end(access, 125, true) },
];

/** Holds a connection, which has its flags as any SDK's, until it is closed, or some minutes are over. */
async function end(access: Access, minutes: number, doesPing: boolean) {
  const socket = await RawSocket.open(connectionUrl(access, 'client'));
  await socket.sync({ timestamp: 0, user: { keyId: 'observer' } });
  const started = Date.now();
  const timer = setInterval(() => doesPing && socket.send({ messageType: 'ping', data: {} }), SDK_PING_SECONDS * 1_000);
  const closed = socket.closed.then(({ code, reason }) => `${code} ${reason}`.trim());
  const over = new AbortController();
  const stays = sleep(minutes * MINUTE_MS, 'it stays open', { signal: over.signal }).catch(() => '');
  const how = await Promise.race([closed, stays]);
  clearInterval(timer);
  over.abort();
  socket.terminate();
  return { answer: `${how} after ${((Date.now() - started) / MINUTE_MS).toFixed(1)} minutes` };
}
