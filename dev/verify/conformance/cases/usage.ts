import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { readFlagUsage } from '../../../../shared/store/usage/flagUsage.ts';
import { until } from '../../../../shared/testing/until.ts';
import { describeWith } from '../../../support/jest/describeWith.ts';
import { BrowserSdk, forgetBrowserStorage } from '../clients/browserSdk.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import { python, startPythonSdks } from '../clients/pythonProcess.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

/** Evaluations of each server SDK, all of different users. */
const EVALUATIONS = { node: 4_750, python: 2_500 };

/** Flags that the JavaScript SDK evaluates. It reports each once in a flush, and a flush takes a second. */
const OWN = { flags: 50, flushes: 5 };

const describeWithPython = await describeWith(python);

const flagOf = (n: number) => (n % 2 === 0 ? 'individual-targeting' : 'returns-true');

/** Evaluations that SDKs report are counted exactly. Thousands of them take several times as long next to other tests. */
export function usageCases(target: GetTarget): void {
  describe('counts', () => {
    beforeEach(forgetBrowserStorage);

    test('equal the evaluations of SDKs in JavaScript', async () => {
      const own = Array.from({ length: OWN.flags }, (_, n) => simpleFlag(`own-${n}`));
      const documents = own.map((document) => ({ kind: 'flag', document }) as const);
      const workspace = await Workspace.create(target(), [...referenceDocuments(), ...documents]);
      const node = await NodeSdk.start(workspace);
      const browser = await BrowserSdk.start(workspace, 'u1');
      for (let n = 0; n < EVALUATIONS.node; n += 1) await node.value(flagOf(n), `u${n}`);
      for (let n = 0; n < OWN.flushes; n += 1) {
        for (const { key } of own) await browser.value(key);
        await browser.client.flush();
      }
      await node.close();
      await browser.close();
      const half = EVALUATIONS.node / 2;
      await areCounted(workspace, [
        [flagOf(0), half],
        [flagOf(1), half],
        ...own.map(({ key }) => [key, OWN.flushes] as const),
      ]);
    }, 180_000);
  });

  describeWithPython('counts of Python SDKs', () => {
    test('are exactly the evaluations that the SDKs made', async () => {
      const workspace = await Workspace.create(target(), referenceDocuments());
      const sdks = await startPythonSdks(workspace);
      for (let n = 0; n < EVALUATIONS.python; n += 1) await Promise.all(sdks.map((sdk) => sdk.askLine(flagOf(n))));
      const half = (EVALUATIONS.python * sdks.length) / 2;
      await areCounted(workspace, [
        [flagOf(0), half],
        [flagOf(1), half],
      ]);
      // Each sends what it has counted in the background, until it is closed.
      for (const sdk of sdks) sdk.close();
    }, 180_000);
  });
}

/**
 * Waits for the counts of flags, and expects no other ones. A host writes every 10 seconds, and drops nothing. A function writes with each
 * request, and counts a write as dropped that has no answer within a second; the table may have it all the same (docs/insights.md).
 */
async function areCounted({ target, envId }: Workspace, expected: readonly (readonly [key: string, total: number])[]) {
  const { usage, differences } = target;
  if (!usage) throw new Error('the target has no usage');
  const isExact = differences?.has('counts-in-memory') ?? false;
  // All at once, or again and again, would be so many reads that the table has no time for counts.
  const read = async (key: string) => {
    await sleep(20);
    const { total, unknown, dropped } = await readFlagUsage(usage, envId, key, 0);
    return [key, total, unknown, isExact ? dropped : 0] as const;
  };
  for (const [key, wanted] of expected)
    await until(
      () => read(key),
      ([, total]) => total >= wanted,
    );
  const counts = [];
  for (const [key] of expected) counts.push(await read(key));
  expect(counts).toEqual(expected.map(([key, total]) => [key, total, 0, 0]));
}
