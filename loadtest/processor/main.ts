import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { connect as connectPlainly, Session, TIMEOUT_MS } from '../processor.mjs';
import type { Settings } from '../scenarios/settings.ts';
import { CheckedSubscription, checkAgainst } from './expectation.ts';
import { Recorder } from './recorder.ts';

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
  readonly ws: object;
  session?: Session;
}

const { urls, clientKey, environment } = SETTINGS;
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
export function connect(request: Request, { vars }: Context, done: () => void): void {
  const n = connected++;
  vars['n'] = n;
  vars['keyId'] = `load-${worker}-${n}`;
  pending.set(n, setTimeout(failHandshake, TIMEOUT_MS + 1_000, n).unref());
  recorder.count('began');
  request.target = urls[n % urls.length] ?? '';
  connectPlainly(request, { vars }, done, clientKey);
}

/** The step of the scripts. Checks each flag, and records each second. */
export async function dataSync(context: Context, events: Emitter): Promise<void> {
  const { vars, ws: socket } = context;
  // Reports the errors of other connections. The first reason is lost, but all are counted as errors.
  if (!isListening) events.on('error', (reason) => recorder.count(`reason: ${reason}`));
  isListening = true;
  const n = Number(vars['n']);
  clearTimeout(pending.get(n));
  pending.delete(n);
  const keyId = String(vars['keyId']);
  const user = { keyId, name: String(vars['station'] ?? keyId), attributes: new Map<string, string>() };
  const connection = { socket, beganAt: Number(vars['beganAt']), endsAt: Number(vars['endsAt']), report: recorder };
  context.session = new Session(connection, new CheckedSubscription(user, check));
  recorder.open++;
  await context.session.sync().catch(recorder.fail);
}

/** The step of the scripts. */
export async function hold({ vars, session }: Context): Promise<void> {
  if (session && !session.isOver) await session.hold(vars as never).catch(recorder.fail);
  recorder.open--;
  // After the last connection, artillery writes its result, and may end this thread without an exit event.
  if (recorder.open === 0) recorder.flush();
}

function failHandshake(n: number): void {
  pending.delete(n);
  recorder.fail('no handshake');
}
