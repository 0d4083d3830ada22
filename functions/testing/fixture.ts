import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { database, useTables } from '../../shared/store/testing/testStore.ts';
import type { Call, Intercept } from '../../shared/store/testing/testTables.ts';
import { createSync } from '../websocket/sync.ts';
import { type CapturedOutput, captureOutput } from './output.ts';
import { aService, messageEvent, snapshotsOf, type TestService, testSender } from './service.ts';

export { database } from '../../shared/store/testing/testStore.ts';

/** The environment of this test. */
export let service: TestService;
/** The terminal output of this test. */
export let output: CapturedOutput;
/** The messages sent to connections in this test. */
export let sender: ReturnType<typeof testSender>;

/** Gives a test file the database, and captures its output. */
export function useDatabase(): void {
  useTables();
  beforeAll(() => {
    output = captureOutput();
  });
  afterAll(() => output.release());
}

/** Gives each test of a file this module's exports. */
export function useService(): void {
  useDatabase();
  beforeEach(async () => {
    service = await aService(database);
    sender = testSender();
    output.clear();
  });
}

/** A connection as stored in the table. */
export const connection = (id = 'c') => service.store.connections.find(service.envId, id);

/** The clock of this test's service. A pause advances it. */
export function skippingPauses() {
  const { clock } = service.effects;
  const pause = async (ms: number) => {
    clock.now += ms;
  };
  return { ...service.effects, pause };
}

/** The data-sync handler of one instance. Its calls to the table may be intercepted. */
export function aSync(intercept?: Intercept) {
  const effects = skippingPauses();
  const { connections, relays } = database.open(effects, intercept);
  return createSync({ connections, relays, snapshots: snapshotsOf(service, intercept), sender, effects });
}

/** The name of a call to the table. If the name is not unique, it is extended by the call's purpose. */
export function stepOf({ name, input }: Call): string {
  if (name !== 'UpdateItem') return name;
  const { UpdateExpression } = input;
  if (UpdateExpression.includes('firstRequestedAt')) return 'begin';
  if (/^SET leftVersion|ADD asks/.test(UpdateExpression)) return 'leave';
  return UpdateExpression.startsWith('SET version = :version REMOVE leaseUntil') ? 'finish' : 'mark';
}

/** Sends a message to a data-sync handler. @returns the first message that the connection received meanwhile, parsed */
export async function ask(body: string, { type = 'client', id = 'c', sync = aSync() } = {}) {
  const before = sender.to(id).length;
  await sync(messageEvent(service, { id, type, body }));
  return sender.to(id)[before];
}
