import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { HostProcess } from '../../dev/support/hostProcess.ts';
import { readUsage } from '../../dev/support/usage.ts';
import { TableProcess } from '../../dev/verify/torture/tableProcess.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';

const CLIENTS = 50;
const FLAGS = 30;
/** Pause of a client after each answer. A round is this pause and the next answer. */
const PAUSE_MS = 100;
/** Length of each flood, and of the time without one before it. Both alternate, so that other work on the machine affects both. */
const PHASE_MS = 1_500;
/** Cycles of a kind at most. Each flood would stall all others in each cycle. Other work on the machine stalls only some. */
const MOST_CYCLES = 8;
const MOST_RATIO = 2;
const KINDS = ['compressed', 'uncompressed', 'pings', 'pipelined', 'streams', 'metrics', 'unknown'];

let table: TableProcess;
let directory: string;
let envId: string;
let key: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-flood-'));
  table = await TableProcess.start();
  const store = openStore({ client: createDynamoDb(), flags: table.tables.flags });
  const created = await store.environments.create('flood');
  envId = created.environment.id;
  key = created.secrets.find(({ record }) => record.type === 'client')?.value ?? '';
  for (let n = 0; n < FLAGS; n++) {
    await store.documents.writeFlag(envId, `f${n}`, () => aFlag({ key: `f${n}` }));
  }
}, 120_000);
afterAll(async () => {
  await table.stop('SIGKILL');
  rmSync(directory, { recursive: true });
});

/**
 * The duration of rounds for a quarter of the clients' time: in it, rounds take at least as long. A stall of a second for all counts
 * as much as ten answers that are a little late.
 */
function lateRound(rounds: readonly number[]): number {
  let rest = sumOf(rounds, (each) => each) / 4;
  for (const each of rounds.toSorted((a, b) => b - a)) {
    rest -= each;
    if (rest <= 0) return each;
  }
  return Number.NaN;
}

/** A client that asks by turns over its WebSocket and over HTTP, one request after another. */
class RegularClient {
  readonly #port: number;
  #socket: WebSocket | undefined;
  #isStopped = false;
  /** Durations of rounds, by phase. */
  readonly rounds = new Map<string, number[]>();
  /** Number of all rounds. */
  count = 0;
  failures = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async open(): Promise<void> {
    const token = encodeToken(key, systemEffects.now(), 7);
    this.#socket = new WebSocket(`ws://127.0.0.1:${this.#port}/streaming?type=client&token=${token}`);
    await once(this.#socket, 'open');
  }

  /** Asks until it is stopped. @param phase names the current phase */
  async run(phase: () => string): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const [startedAt, startedIn] = [performance.now(), phase()];
      await sleep(PAUSE_MS);
      await (n % 2 ? this.#evaluate() : this.#ping()).catch(() => this.failures++);
      const rounds = this.rounds.get(startedIn) ?? [];
      rounds.push(performance.now() - startedAt);
      this.rounds.set(startedIn, rounds);
      this.count++;
    }
    this.#socket?.terminate();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #ping(): Promise<void> {
    const answered = once(this.#socket as WebSocket, 'message', { signal: AbortSignal.timeout(30_000) });
    this.#socket?.send('{"messageType":"ping","data":null}');
    await answered;
  }

  async #evaluate(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/ofrep/v1/evaluate/flags/f1`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: '{"context":{"targetingKey":"u1"}}',
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    await response.arrayBuffer();
  }
}

describe.each(['bun', 'node'])('a host on %s during floods by one client', (runtime) => {
  let host: HostProcess;
  let flooder: ChildProcess;
  const clients: RegularClient[] = [];
  let running: Promise<unknown>;
  let phase = 'start';
  const resident: number[] = [];
  const probes: number[] = [];
  /** The lowest ratio of a flood to the time before it, by kind. */
  const ratios = new Map<string, number>();
  const best = (kind: string) => ratios.get(kind) ?? Number.POSITIVE_INFINITY;

  const say = async (kind: string) => {
    const answered = once(flooder, 'message');
    flooder.send(kind);
    await answered;
  };
  const roundsIn = (name: string) => clients.flatMap(({ rounds }) => rounds.get(name) ?? []);

  beforeAll(async () => {
    const before = process.env['HOST_RUNTIME'];
    process.env['HOST_RUNTIME'] = runtime;
    const stack = { dynamoDbEndpoint: table.endpoint, tables: table.tables };
    const insights = join(directory, `${runtime}.ndjson`);
    host = await HostProcess.start(stack, { PORT: '0', DRAIN_MS: '100', INSIGHT_FILE: insights }).finally(() => {
      if (before === undefined) delete process.env['HOST_RUNTIME'];
      else process.env['HOST_RUNTIME'] = before;
    });
    flooder = fork(join(import.meta.dirname, 'testing/flooder.ts'), [String(host.port), key], { stdio: 'inherit' });
    await once(flooder, 'message');
    clients.push(...Array.from({ length: CLIENTS }, () => new RegularClient(host.port)));
    await Promise.all(clients.map((client) => client.open()));
    running = Promise.all(clients.map((client) => client.run(() => phase)));
    for (const kind of KINDS) {
      for (let cycle = 0; cycle < MOST_CYCLES && !(best(kind) < MOST_RATIO); cycle++) {
        phase = `before ${kind} ${cycle}`;
        await sleep(PHASE_MS);
        resident.push(readUsage(host.pid).resident);
        await say(kind);
        phase = `${kind} ${cycle}`;
        for (const end = performance.now() + PHASE_MS; performance.now() < end; await sleep(PAUSE_MS)) {
          probes.push((await fetch(`http://127.0.0.1:${host.port}/health/liveness`)).status);
          resident.push(readUsage(host.pid).resident);
        }
        await say('none');
        phase = 'pause';
        const counts = clients.map(({ count }) => count);
        // The round that is running, and another one.
        await until(() => clients.every(({ count }, n) => count >= (counts[n] ?? 0) + 2));
        const ratio = lateRound(roundsIn(`${kind} ${cycle}`)) / lateRound(roundsIn(`before ${kind} ${cycle}`));
        ratios.set(kind, Math.min(ratio, best(kind)));
      }
    }
    for (const client of clients) client.stop();
    await running;
  }, 300_000);
  afterAll(async () => {
    flooder.disconnect();
    await host.stop('SIGKILL');
  });

  test.each(KINDS)('answers others within twice their usual time during a flood of %s', (kind) => {
    expect(best(kind)).toBeLessThan(MOST_RATIO);
  });

  test('fails no request of others, and answers all checks of its liveness', () => {
    expect(clients.map(({ failures }) => failures)).toEqual(clients.map(() => 0));
    expect(probes.filter((status) => status !== 200)).toEqual([]);
  });

  test('takes at most 200 MB more than before', () => {
    const [before = 0] = resident;
    expect((Math.max(...resident) - before) / 1024 ** 2).toBeLessThan(200);
  });

  test('counts what it refused', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${host.port}/metrics`)).text();
    for (const limit of ['messages', 'pipelining']) {
      const [, count] = metrics.split(`flagwire_over_budget_total{limit="${limit}"} `);
      expect(Number.parseInt(count ?? '', 10)).toBeGreaterThan(3);
    }
  });
});
