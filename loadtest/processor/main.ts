import { type EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { connect as connectPlainly, Session, TIMEOUT_MS } from '../processor.mjs';
import { SDKS, type SdkName } from '../scenarios/sdks.ts';
import type { Settings } from '../scenarios/settings.ts';
import { checkAgainst } from './expectation.ts';
import { Recorder } from './recorder.ts';
import { liveAs, type Socket } from './sdk.ts';
import { ClientSubscription, ServerSubscription } from './subscription.ts';

/** Defined by the bundler. */
declare const SETTINGS: Settings;

/** Artillery's emitter. */
interface Emitter {
  on(event: 'error', listener: (reason: unknown) => void): unknown;
}

/** The request of artillery's `connect`. */
interface Request {
  target: string;
  options: object;
}

/** The context of a virtual user. Only its variables survive the handshake. */
interface Context {
  readonly vars: Record<string, unknown>;
  /** The name is that of the simulated SDK, if there is one. */
  readonly scenario: { readonly name: SdkName };
  readonly ws: Socket;
  session?: Session;
}

type SocketClass = new (target: string, protocols: readonly string[], options: object) => Socket & EventEmitter;

const { urls, clientKey, server, sdks, environment } = SETTINGS;
const { FLAGWIRE_SLICES: directory, FLAGWIRE_WORKER } = process.env;
const worker = `${FLAGWIRE_WORKER}-${threadId}`;
const recorder = new Recorder((slice) => appendFileSync(`${directory}/${worker}.ndjson`, `${JSON.stringify(slice)}\n`));
/** Connections that are not open yet. Artillery does not report failed ones. */
const pending = new Map<number, NodeJS.Timeout>();
const check = checkAgainst(environment);
let connected = 0;
let isListening = false;

process.on('exit', () => {
  for (const n of pending.keys()) failHandshake(n);
  recorder.flush();
});

/** Artillery's `connect`: sets the address and the options of a connection. */
export function connect(request: Request, { vars, scenario }: Context, done: () => void): void {
  const n = connected++;
  vars['n'] = n;
  vars['keyId'] = `load-${worker}-${n}`;
  pending.set(n, setTimeout(failHandshake, TIMEOUT_MS + 1_000, n).unref());
  recorder.count('began');
  fill(request, vars, sdks && scenario.name);
  done();
}

/** The step of the scripts. Checks each flag, and records each second. */
export async function dataSync(context: Context, events: Emitter): Promise<void> {
  const { vars } = context;
  const user = makeUser(String(vars['keyId']), String(vars['station'] ?? vars['keyId']));
  context.session = new Session(begin(context, events), new ClientSubscription(user, check));
  recorder.open++;
  await context.session.sync().catch(recorder.fail);
}

/** The step of the scripts. */
export async function hold({ vars, session }: Context): Promise<void> {
  if (session && !session.isOver) await session.hold(vars as never).catch(recorder.fail);
  recorder.open--;
  flushLast();
}

/** The step of an SDK, over all its connections. */
export async function live(context: Context, events: Emitter): Promise<void> {
  const { vars, ws, scenario } = context;
  const sdk = scenario.name;
  const { pingS, identifyPercent } = sdks?.[sdk] ?? { pingS: 0, identifyPercent: 0 };
  const user = makeUser(String(vars['keyId']));
  const isServer = SDKS[sdk].type === 'server';
  const subscription = isServer ? new ServerSubscription(server?.documents ?? 0) : new ClientSubscription(user, check);
  const first = begin(context, events);
  const open = async () => {
    const { target, options } = fill({ target: '', options: {} }, vars, sdk);
    const socket = new (ws.constructor as SocketClass)(target, [], options);
    await once(socket, 'open');
    return socket;
  };
  const other = Math.random() * 100 < identifyPercent ? makeUser(`${user.keyId}-known`) : undefined;
  await liveAs(SDKS[sdk], subscription, first, open, { ping: pingS }, other);
  flushLast();
}

function begin({ ws: socket, vars }: Context, events: Emitter) {
  // Reports the errors of other connections. The first reason is lost, but all are counted as errors.
  if (!isListening) events.on('error', (reason) => recorder.count(`reason: ${reason}`));
  isListening = true;
  const n = Number(vars['n']);
  clearTimeout(pending.get(n));
  pending.delete(n);
  return { socket, beganAt: Number(vars['beganAt']), endsAt: Number(vars['endsAt']), report: recorder };
}

function failHandshake(n: number): void {
  pending.delete(n);
  recorder.fail('no handshake');
}

/** After the last connection, artillery writes its result, and may end this thread without an exit event. */
function flushLast(): void {
  if (recorder.open === 0) recorder.flush();
}

/** Sets the address of a connection, with a new token. */
function fill(request: Request, vars: Context['vars'], sdk: SdkName | undefined): Request {
  const { type, userAgent } = sdk ? SDKS[sdk] : { type: 'client', userAgent: undefined };
  request.target = urls[Number(vars['n']) % urls.length] ?? '';
  request.options = userAgent === undefined ? {} : { headers: { 'user-agent': userAgent } };
  connectPlainly(request, { vars }, () => {}, type === 'server' ? server?.key : clientKey, type);
  return request;
}

function makeUser(keyId: string, name = keyId) {
  return { keyId, name, attributes: new Map<string, string>() };
}
