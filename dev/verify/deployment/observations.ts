import { setTimeout as sleep } from 'node:timers/promises';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { HandshakeError, RawSocket } from '../../support/rawSocket.ts';
import { type Access, connectionUrl } from './access.ts';
import type { Observation } from './report.ts';

const MINUTE_MS = 60_000;

const user = { keyId: 'verify', name: 'verify', customizedProperties: [] };
const dataSync = { messageType: 'data-sync', data: { timestamp: 0, user } };

/** Observations of every deployment, besides what the conformance suite checks. Most of them answer questions of docs/unverified.md. */
export const OBSERVATIONS: readonly Observation[] = [
  {
    question: 'the first handshake, and the median of ten after it (name look-up and TLS included)',
    look: async (access) => {
      const all = [];
      for (let n = 0; n < 11; n++) all.push(await handshake(connectionUrl(access)));
      const refused = all.find(({ status }) => status !== 101);
      if (refused) return { answer: `${refused.status} ${refused.body}`, isPromised: false };
      const [first, ...later] = all.map(({ milliseconds }) => milliseconds);
      return { answer: `${ms(first)}; ${ms(median(later))}`, isPromised: true };
    },
  },
  {
    question:
      'a data-sync of the client: the first, and median and largest of fifty after it, each on a new connection',
    look: async (access) => {
      const times: number[] = [];
      for (let n = 0; n < 51; n++) {
        const failed = await withSocket(access, async (socket) => {
          const started = performance.now();
          const { messageType } = await socket.sync(dataSync.data);
          times.push(performance.now() - started);
          return messageType === 'data-sync' ? undefined : socket.texts.at(-1);
        });
        if (failed !== undefined) return { answer: failed, isPromised: false };
      }
      const later = times.slice(1);
      return { answer: `${ms(times[0])}; ${ms(median(later))}, ${ms(Math.max(...later))}` };
    },
  },
  {
    question: 'connections of fifty whose last flags are of the first of two users, sent at once',
    look: async (access) => {
      let wrong = 0;
      for (let n = 0; n < 50; n++)
        await withSocket(access, async (socket) => {
          for (const keyId of ['first', 'second'])
            socket.send({ ...dataSync, data: { timestamp: 0, user: { keyId } } });
          await socket.next();
          if ((await socket.next()).data.userKeyId !== 'second') wrong++;
        });
      return { answer: String(wrong), isPromised: wrong <= 5 };
    },
  },
  {
    question: 'how a binary frame ends the connection',
    look: (access) =>
      withSocket(access, async (socket) => {
        socket.send(Buffer.from('{}'));
        const open = { code: 0, reason: 'it stays open' };
        const { code, reason } = await Promise.race([socket.closed, sleep(10_000, open, { ref: false })]);
        return { answer: `${code} ${reason}`.trim(), isPromised: code === 1003 };
      }),
  },
  {
    question: 'an unsigned request to @connections',
    look: async ({ streamingUrl }) => {
      const url = `${streamingUrl.replace(/^ws/, 'http')}/streaming/@connections/nobody=`;
      const response = await fetch(url, { method: 'POST', body: 'x' });
      return { answer: `${response.status} ${await response.text()}`, isPromised: response.status >= 400 };
    },
  },
  {
    question: 'from a write to its push, median and largest of twenty',
    look: (access, workspace) =>
      withSocket(access, async (socket) => {
        await socket.sync(dataSync.data);
        const times: number[] = [];
        for (let n = 0; n < 20; n++) {
          const started = performance.now();
          await workspace.toggle('returns-true');
          await socket.next();
          times.push(performance.now() - started);
        }
        return { answer: `${ms(median(times))}, ${ms(Math.max(...times))}` };
      }),
  },
];

/** Observations that take up to two hours. They run at the same time. */
export const LONG_OBSERVATIONS: readonly Observation[] = [
  { question: 'how a connection ends on which nothing happens', look: (access) => endOf(access, 11, false) },
  { question: 'how a connection ends on which there are only pings', look: (access) => endOf(access, 125, true) },
];

async function withSocket<T>(access: Access, act: (socket: RawSocket) => Promise<T>): Promise<T> {
  const socket = await RawSocket.open(connectionUrl(access));
  try {
    return await act(socket);
  } finally {
    socket.terminate();
  }
}

/**
 * Asks to open a WebSocket, and closes it again. The time includes name look-up and TLS.
 *
 * @returns status 101 if it was opened; otherwise the status and the body of the refusal
 * @throws Error without an answer in time
 */
export async function handshake(
  url: string,
  timeoutMs = 10_000,
): Promise<{ status: number; body: string; milliseconds: number }> {
  const started = performance.now();
  const socket = new RawSocket(url);
  const late = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    socket.terminate();
    throw new Error(`no answer within ${timeoutMs / 1_000} s`);
  });
  const opened = socket.opened.then(() => ({ status: 101, body: '' }));
  const answer = opened.catch((error: unknown) => {
    if (error instanceof HandshakeError) return error;
    throw error;
  });
  const { status, body } = await Promise.race([answer, late]);
  const milliseconds = performance.now() - started;
  socket.terminate();
  return { status, body, milliseconds };
}

function ms(value: number | undefined): string {
  return `${Math.round(value ?? Number.NaN)} ms`;
}

/** Holds a connection that has its flags until it is closed, or for some minutes. */
async function endOf(access: Access, minutes: number, doesPing: boolean) {
  const socket = await RawSocket.open(connectionUrl(access));
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
