import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { findLost } from '../../support/sdkModel/sessions.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import type { Target } from '../conformance/target.ts';
import { waitForQuiescence } from '../torture/linearize/expected.ts';
import type { Report } from '../torture/linearize/faults.ts';
import { type Fixture, openFixture } from '../torture/linearize/fixture.ts';
import { SlowTable } from '../torture/linearize/slowTable.ts';
import { openService } from '../torture/openService.ts';
import { Random } from '../torture/random.ts';
import type { Service } from '../torture/service.ts';

jest.setTimeout(180_000);
// Hosts that start beside a busy machine's other work are slow.
setTimeouts({ condition: 60_000 });

const FIXTURE = { seed: 1, readers: 48 };
/** Maximum time between the acknowledgement of a change and its arrival at a connected reader. */
const PUSH_MS = 30_000;

let service: Service;
let table: SlowTable;
const useService = () => {
  beforeAll(async () => {
    // Nobody makes it slow; it knows when it was.
    table = new SlowTable(new Random(1));
    service = await openService('balanced', (endpoint) => table.open(endpoint));
  });
  afterAll(async () => {
    await service.close();
    table.close();
  });
};

describe('three hosts behind HAProxy', () => {
  useService();

  conformanceCases(
    (): Target => ({
      ...service.target,
      differences: new Set(['refuses-with-4003', 'answers-whole', 'discards-large-messages']),
    }),
  );
});

describe('three hosts behind HAProxy, while flags are written', () => {
  useService();
  const problems: string[] = [];
  const report: Report = (fault, what) => problems.push(`${fault}: ${what}`);

  test('one is killed, one drained, two are added: readers have every change once, in order, none stale', async () => {
    const isOver = new AbortController();
    const fixture = await openFixture(service, FIXTURE, table.wasSlow, report);
    const { readers, writers, writes } = fixture;
    const writing = writers.map((writer) => writer.run(isOver.signal));
    const goOn = () => goOnFor(20, fixture);
    for (const end of ['SIGKILL', 'SIGTERM'] as const) {
      await goOn();
      await service.end(end);
      await goOn();
      await service.start();
    }
    await goOn();
    isOver.abort();
    await Promise.all(writing);
    await waitForQuiescence(service.target.store, fixture, report, new AbortController().signal);
    for (const reader of readers) reader.leave();
    const checks = readers.map(({ model }) => model.check);
    const sessions = checks.flatMap((check) => check.sessions);
    findLost(sessions, writes.acknowledged, PUSH_MS, report);
    expect(problems).toEqual([]);
    // Two of three hosts went: at least so many of their readers had to come back.
    expect(checks.filter(({ counts }) => counts.syncs > 1).length).toBeGreaterThanOrEqual(FIXTURE.readers / 3);
  });
});

/** Waits for so many more writes, and until every reader has been answered. */
async function goOnFor(more: number, { readers, writes }: Fixture): Promise<void> {
  const { length } = writes.acknowledged;
  await until(() => writes.acknowledged.length >= length + more && readers.every(({ model }) => model.check.isInSync));
}
