import { type EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { encodeToken } from '../../shared/protocol/token.ts';
import { SDKS, type SdkName } from '../scenarios/sdks.ts';
import type { Settings } from '../scenarios/settings.ts';
import { Client, type Socket } from './client.ts';
import { checkAgainst } from './expectation.ts';
import { Pending } from './pending.ts';
import { Recorder } from './recorder.ts';
import { SdkClient } from './sdk.ts';
import { CounterSink, type Emitter, fileSink } from './sink.ts';
import { ClientSubscription, ServerSubscription } from './subscription.ts';

/** Put in by the bundler. */
declare const SETTINGS: Settings;

/** Where artillery's `connect` is told how to connect. */
interface ConnectArguments {
  target: string;
  options: Record<string, unknown>;
}

/** What artillery keeps of one virtual user; of what is put there only variables outlive the handshake. */
interface Context {
  readonly vars: Record<string, unknown>;
  readonly scenario: { readonly name: string };
  readonly ws?: Socket;
}

type SocketClass = new (
  target: string,
  protocols: readonly string[],
  options: Record<string, unknown>,
) => Socket & EventEmitter;

const { urls, clientKey, server, users, life, handshakeMs, answerMs, environment } = SETTINGS;
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

/** Artillery's `connect`: what it connects to, and how. */
export function connect(args: ConnectArguments, { vars, scenario }: Context, done: (error?: Error) => void): void {
  const n = connected++;
  endsAt ??= performance.now() + life.endMs;
  Object.assign(args, addressFor(n, findSdk(scenario)));
  vars['n'] = n;
  vars['keyId'] = users === undefined ? `load-${worker}-${n}` : `load-${Math.floor(Math.random() * users)}`;
  pending.begin(n);
  done();
}

/** Artillery's step that owns the connection, from its handshake to its end. */
export async function live({ vars, ws: socket, scenario }: Context, events: Emitter): Promise<void> {
  if (!socket) throw new Error('there is no connection');
  counters.use(events);
  // Of the others: this one is open. The first reason of all is lost, and all of them are counted as errors.
  if (!isListening) events.on('error', (reason) => recorder.count(`reason: ${reason}`));
  isListening = true;
  const user = makeUser(String(vars['keyId']), String(vars['station'] ?? vars['keyId']));
  const context = { recorder, life, answerMs, endsAt: endsAt ?? 0, random: Math.random };
  const n = Number(vars['n']);
  const first = { socket, beganAt: pending.open(n) };
  const sdk = findSdk(scenario);
  const part = sdk && life.sdks?.[sdk];
  if (sdk && part) {
    const { pingS, identifyPercent } = part;
    const isServer = SDKS[sdk].type === 'server';
    const subscription = isServer
      ? new ServerSubscription(server?.documents ?? 0)
      : new ClientSubscription(user, check);
    const open = () => openAnother(socket.constructor as SocketClass, addressFor(n, sdk));
    const other = Math.random() * 100 < identifyPercent ? makeUser(`${user.keyId}-known`) : undefined;
    const own = { ...context, life: { ...life, pingMs: pingS * 1_000 } };
    await new SdkClient(SDKS[sdk], subscription, open, own).live(first, other);
  } else await new Client(first, new ClientSubscription(user, check), context).live();
  // Artillery gives its result away when nobody is left.
  if (!directory && recorder.open === 0) recorder.flush();
}

/** The SDK that a scenario of artillery's is named after. */
function findSdk({ name }: Context['scenario']): SdkName | undefined {
  return life.sdks && name in life.sdks ? (name as SdkName) : undefined;
}

/** Where a connection goes, with a fresh token since one is good for half a minute, and an address to come from. */
function addressFor(n: number, sdk: SdkName | undefined): Pick<ConnectArguments, 'target' | 'options'> {
  const { type, userAgent } = sdk ? SDKS[sdk] : { type: 'client', userAgent: undefined };
  const key = type === 'server' ? (server?.key ?? '') : clientKey;
  const position = 2 + Math.floor(Math.random() * (key.length - 2));
  const localAddress = sources?.[n % sources.length];
  return {
    target: `${urls[n % urls.length]}/streaming?type=${type}&token=${encodeToken(key, Date.now(), position)}`,
    options: {
      handshakeTimeout: handshakeMs,
      perMessageDeflate: false,
      ...(localAddress && { localAddress }),
      ...(userAgent && { headers: { 'user-agent': userAgent } }),
    },
  };
}

/** One more connection of the class that artillery's own is of. @throws when it is refused */
async function openAnother(Opened: SocketClass, { target, options }: Pick<ConnectArguments, 'target' | 'options'>) {
  const socket = new Opened(target, [], options);
  await once(socket, 'open');
  return socket;
}

function makeUser(keyId: string, name = keyId) {
  return { keyId, name, attributes: new Map<string, string>() };
}
