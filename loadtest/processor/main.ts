import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { encodeToken } from '../../shared/protocol/token.ts';
import { Client, type Socket } from './client.ts';
import { checkAgainst } from './expectation.ts';
import { Pending } from './pending.ts';
import { Recorder } from './recorder.ts';
import type { Settings } from './settings.ts';
import { CounterSink, type Emitter, fileSink } from './sink.ts';

/** Put in by the bundler. */
declare const SETTINGS: Settings;

/** Where artillery's `connect` is told how to connect. */
interface ConnectArguments {
  target: string;
  options: Record<string, unknown>;
}

/** What artillery keeps of one virtual user; only its variables outlive the handshake. */
interface Context {
  readonly vars: Record<string, unknown>;
  readonly ws?: Socket;
}

const { urls, clientKey, users, life, handshakeMs, answerMs, environment } = SETTINGS;
const { FLAGWIRE_SLICES: directory, FLAGWIRE_SOURCES: sourceList } = process.env;
const sources = sourceList?.split(',');
const worker = `${process.env['FLAGWIRE_WORKER'] ?? crypto.randomUUID().slice(0, 8)}-${threadId}`;
const counters = new CounterSink();
const sink = directory
  ? fileSink((line) => appendFileSync(`${directory}/${worker}.ndjson`, line))
  : counters.take.bind(counters);
const recorder = new Recorder(sink);
const pending = new Pending(recorder, handshakeMs + 1_000);
const check = checkAgainst(environment);
let endsAt: number | undefined;
let connected = 0;
let isListening = false;

setInterval(() => pending.sweep(), 1_000).unref();
process.on('exit', () => {
  pending.sweep(0);
  recorder.flush();
});

/** Artillery's `connect`: a fresh token, since one is good for half a minute, and an address to come from. */
export function connect(args: ConnectArguments, { vars }: Context, done: (error?: Error) => void): void {
  const n = connected++;
  endsAt ??= performance.now() + life.endMs;
  const position = 2 + Math.floor(Math.random() * (clientKey.length - 2));
  const token = encodeToken(clientKey, Date.now(), position);
  args.target = `${urls[n % urls.length]}/streaming?type=client&token=${token}`;
  const localAddress = sources?.[n % sources.length];
  args.options = { handshakeTimeout: handshakeMs, perMessageDeflate: false, ...(localAddress && { localAddress }) };
  vars['n'] = n;
  vars['keyId'] = users === undefined ? `load-${worker}-${n}` : `load-${Math.floor(Math.random() * users)}`;
  pending.begin(n);
  done();
}

/** Artillery's step that owns the connection, from its handshake to its end. */
export async function live({ vars, ws }: Context, events: Emitter): Promise<void> {
  if (!ws) throw new Error('there is no connection');
  counters.use(events);
  // Of the others: this one is open. The first reason of all is lost, and all of them are counted as errors.
  if (!isListening) events.on('error', (reason) => recorder.count(`reason: ${reason}`));
  isListening = true;
  const keyId = String(vars['keyId']);
  const user = { keyId, name: String(vars['station'] ?? keyId), attributes: new Map<string, string>() };
  const around = { recorder, check, life, answerMs, endsAt: endsAt ?? 0, random: Math.random };
  await new Client(ws, user, pending.open(Number(vars['n'])), around).live();
  // Artillery gives its result away when nobody is left.
  if (!directory && recorder.open === 0) recorder.flush();
}
