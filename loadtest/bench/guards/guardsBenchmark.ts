import { loadavg } from 'node:os';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import type { Document } from '../../../shared/flags/document.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { withStack } from '../localStack.ts';

/** A flag of the benchmark environment. */
const FLAG = 'returns-true';
const ALARM = 'errors';
/** Connections that open at the same time. */
const OPENING = 50;

const HELP = `
The benchmark connects SDKs to the emulator and applies the step of a guarded plan. Then the alarm enters ALARM. The benchmark measures
the time until the last SDK has the value from before the plan. The emulator and all SDKs run in one process.`;

const command = benchCommand('guards')
  .option('--connections <number>', 'connected SDKs', wholeNumber, 1_000)
  .addHelpText('after', HELP);
const { options, report } = begin<{ connections: number }>(command);

await withStack(async ({ stack, clientKey }) => {
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  const cloudWatch = new CloudWatchClient({});
  const setAlarm = (StateValue: 'OK' | 'ALARM') =>
    cloudWatch.send(new SetAlarmStateCommand({ AlarmName: ALARM, StateValue, StateReason: 'bench' }));
  const sockets: RawSocket[] = [];
  try {
    const [environment] = await store.environments.list();
    const envId = environment?.id ?? '';
    const token = () => encodeToken(clientKey, Date.now(), 7);
    while (sockets.length < options.connections) {
      const count = Math.min(OPENING, options.connections - sockets.length);
      const open = async (_: unknown, n: number) => {
        const socket = await RawSocket.open(`${stack.streamingUrl}/streaming?type=client&token=${token()}`);
        const keyId = `u${sockets.length + n}`;
        await socket.sync({ timestamp: 0, user: { keyId, name: keyId } });
        return socket;
      };
      sockets.push(...(await Promise.all(Array.from({ length: count }, open))));
    }
    progress(`${sockets.length} SDKs are connected`);
    /** The reasons that the next push of the flag gives to all SDKs. */
    const pushed = async () => {
      const messages = await Promise.all(sockets.map((socket) => socket.next()));
      return new Set(messages.map(({ data }) => data.featureFlags[0].matchReason));
    };
    await setAlarm('OK');
    const now = store.effects.now();
    const change = (document: Document) =>
      ({ ...document, document: { ...document.document, isEnabled: false } }) as Document;
    const steps = [{ at: now, change }];
    const [plan] = await store.plans.create(envId, now, () => [
      { kind: 'flag', documentId: FLAG, type: 'changes', steps, guards: [ALARM], watchMs: 3_600_000 },
    ]);
    const [applied] = await Promise.all([pushed(), store.plans.advance(envId, plan?.id ?? '')]);
    const startedAt = performance.now();
    const [undone] = await Promise.all([pushed(), setAlarm('ALARM')]);
    const ms = performance.now() - startedAt;
    const rows = [[sockets.length, Math.round(ms), [...applied].join(), [...undone].join()]];
    const bounds = [{ name: 'ALARM to the last SDK', measured: ms / 1_000, unit: 's', atMost: 10 }];
    const notes = [`The machine’s load average was ${loadavg()[0]?.toFixed(1)}.`];
    const head = ['SDKs', 'ms to the last SDK', 'reason after the step', 'reason after the undo'];
    report([{ title: 'Guard of a plan', head, rows, bounds, notes }], { ms });
  } finally {
    await Promise.all(sockets.map((socket) => socket.close()));
    cloudWatch.destroy();
    store.close();
  }
});
