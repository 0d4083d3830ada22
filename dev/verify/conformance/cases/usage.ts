import { beforeEach, describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { readFlagUsage } from '../../../../shared/store/flagUsage.ts';
import { until } from '../../../../shared/testing/until.ts';
import { BrowserSdk, forgetBrowserStorage } from '../clients/browserSdk.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import { startPythonSdks } from '../clients/pythonSdk.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

/** Evaluations of each SDK, all of different users: 10,000 with both releases of Python and the JavaScript SDK. */
const EVALUATIONS = { node: 4_750, python: 2_500 };

/** Flags that the JavaScript SDK evaluates. It reports each once in a flush, and a flush takes a second. */
const OWN = { flags: 50, flushes: 5 };

/** Evaluations that SDKs report are counted exactly. */
export function usageCases(target: GetTarget): void {
  describe('counts', () => {
    beforeEach(forgetBrowserStorage);

    test('of evaluations are exactly those that SDKs made', async () => {
      const { usage } = target();
      if (!usage) throw new Error('the target has no usage');
      const own = Array.from({ length: OWN.flags }, (_, n) => simpleFlag(`own-${n}`));
      const documents = own.map((document) => ({ kind: 'flag', document }) as const);
      const workspace = await Workspace.create(target(), [...referenceDocuments(), ...documents]);
      const python = await startPythonSdks(workspace);
      const node = await NodeSdk.start(workspace);
      const browser = await BrowserSdk.start(workspace, 'u1');
      const flagOf = (n: number) => (n % 2 === 0 ? 'individual-targeting' : 'returns-true');
      for (let n = 0; n < EVALUATIONS.node; n += 1) await node.value(flagOf(n), `u${n}`);
      for (let n = 0; n < EVALUATIONS.python; n += 1) await Promise.all(python.map((sdk) => sdk.ask(flagOf(n))));
      for (let n = 0; n < OWN.flushes; n += 1) {
        for (const { key } of own) await browser.value(key);
        await browser.client.flush();
      }
      await node.close();
      await browser.close();
      for (const sdk of python) sdk.close();

      const half = (EVALUATIONS.node + EVALUATIONS.python * python.length) / 2;
      const read = async (keys: readonly string[]) => {
        const counts = [];
        for (const key of keys) {
          const { total, unknown, dropped } = await readFlagUsage(usage, workspace.envId, key, 0);
          counts.push([total, unknown, dropped]);
        }
        return counts;
      };
      const all = [flagOf(0), flagOf(1), ...own.map(({ key }) => key)];
      const expected = new Map(all.map((key, n) => [key, n < 2 ? half : OWN.flushes]));
      const untilCounted = (key: string) =>
        until(
          () => read([key]),
          ([[total = 0] = []]) => total >= (expected.get(key) ?? 0),
        );
      // All flags at once would be so many reads that the table has no time for counts.
      for (const key of all) await untilCounted(key);
      expect(await read(all)).toEqual([...expected.values()].map((total) => [total, 0, 0]));
      // Its 10,000 evaluations take several times as long next to other tests.
    }, 180_000);
  });
}
