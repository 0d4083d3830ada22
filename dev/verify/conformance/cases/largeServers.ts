import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../../../../shared/flags/document.ts';
import { IN_SEGMENT } from '../../../../shared/flags/rule.ts';
import { parseSegment } from '../../../../shared/flags/segment.ts';
import { formatTimestamp } from '../../../../shared/flags/timestamp.ts';
import { aRollout, share } from '../../../../shared/testing/builders.ts';
import { accepted } from '../../../../shared/testing/fixtures.ts';
import { setTimeouts, timeouts, until } from '../../../../shared/testing/until.ts';
import { describeWith } from '../../../support/jest/describeWith.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import { python, startPythonSdks } from '../clients/pythonProcess.ts';
import { ServerSdk } from '../clients/serverSdk.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

/**
 * So many flags come one by one in the time that a function has, also on a slow machine; at 12 ms a message some 2,000. Of more
 * the rest comes later (docs/decisions/0006-large-replies.md).
 */
const ONE_BY_ONE = 1_000;

/** Flags of the environments. The smallest has its time where CI runs; by hand the others tell as much. */
const COUNTS = [...(process.env['CI'] ? [400] : []), 1_000, 3_000];

const describeWithPython = await describeWith(python);

/** Environments larger than a message, as each server-side SDK is to see them. */
export function largeServerCases(target: GetTarget): void {
  describe('server-side SDKs in an environment larger than a message', () => {
    waitAsLongAsHealing();

    test.each(COUNTS)(
      'get %i flags without connecting twice, and follow changes',
      async (count) => {
        const workspace = await Workspace.create(target(), documents(count));
        const isWhole = target().differences?.has('answers-whole') ?? false;
        const last = `flag-${count - 1}`;
        const ofSegment = `flag-${count - 50}`;

        const dotnet = new ServerSdk('.NET', workspace);
        await has(dotnet, count);
        if (!isWhole) expect(dotnet.model.largestPatch).toBeGreaterThan(1);
        const reached = isWhole ? count : Math.min(count, ONE_BY_ONE);
        const strict: ServerSdk[] = [];
        for (const name of ['Go', 'Java'] as const) {
          const sdk = new ServerSdk(name, workspace);
          strict.push(sdk);
          await has(sdk, reached);
          if (!isWhole) expect(sdk.model.largestPatch).toBe(1);
          // It lacks flags, and would connect again for them after the next change.
          if (reached < count) sdk.close();
        }
        const node = await NodeSdk.start(workspace);
        await node.becomes(last, 'true');
        await node.becomes(ofSegment, 'false');

        await workspace.toggle('flag-1');
        await workspace.segment('segment-0', { included: [] });
        await workspace.toggle(last);
        await node.becomes(last, 'false');
        for (let n = 0; n < count; n += 50) expect(await node.value(`flag-${n}`)).toBe(n === 0 ? 'true' : 'false');
        const played = reached === count ? [dotnet, ...strict] : [dotnet];
        for (const sdk of played) await until(() => sdk.isOn(last) === false && sdk.isOn('flag-1') === false);
        expect([dotnet, ...strict].filter(({ connections }) => connections !== 1)).toEqual([]);

        for (const sdk of [dotnet, ...strict]) {
          expect(sdk.violations).toEqual([]);
          sdk.close();
        }
        await node.close();
      },
      300_000,
    );
  });

  describeWithPython('Python SDKs in an environment larger than a message', () => {
    waitAsLongAsHealing();

    test.each(COUNTS)(
      'get %i flags without connecting twice, and follow changes',
      async (count) => {
        const workspace = await Workspace.create(target(), documents(count));
        const sdks = await startPythonSdks(workspace);
        const last = `flag-${count - 1}`;
        for (const sdk of sdks) await sdk.becomes(last, true, count);
        for (const sdk of sdks) await sdk.becomes(`flag-${count - 50}`, false, count);
        await workspace.segment('segment-0', { included: [] });
        await workspace.toggle(last);
        for (const sdk of sdks) {
          await sdk.becomes('flag-0', true, count);
          expect(await sdk.becomes(last, false, count)).toMatchObject({ connections: 1 });
          sdk.close();
        }
      },
      300_000,
    );
  });
}

/**
 * A reply that takes longer than a call of its function stops after 20 s. Healing continues it at its next start, once a minute, if the
 * reply has waited for 30 s by then: after at most 90 s.
 */
function waitAsLongAsHealing(): void {
  const usual = timeouts();
  beforeAll(() => setTimeouts({ condition: 90_000 }));
  afterAll(() => setTimeouts(usual));
}

/** Flags. Every fiftieth flag is `false` for the members of its segment, which has the next version. */
function documents(count: number): Document[] {
  return Array.from({ length: count }, (_, n): Document[] => {
    const key = `flag-${n}`;
    const at = (later: number) => ({ updatedAt: formatTimestamp(Date.UTC(2024, 0) + 2 * n + later) });
    if (n % 50 !== 0) return [{ kind: 'flag', document: simpleFlag(key, at(0)) }];
    const id = `segment-${n}`;
    const conditions = [{ property: IN_SEGMENT, op: null, value: JSON.stringify([id]) }];
    const rule = { id: 'r', name: 'members', conditions, ...aRollout(share(`${key}-false`)) };
    return [
      { kind: 'flag', document: simpleFlag(key, { rules: [rule], ...at(0) }) },
      { kind: 'segment', document: accepted(parseSegment({ id, included: ['u1'], ...at(1) })) },
    ];
  }).flat();
}

/** Waits until an SDK has so many flags, for as long as more arrive. */
async function has(sdk: ServerSdk, count: number): Promise<void> {
  for (let before = sdk.flags; before < count; before = sdk.flags) await until(() => sdk.flags > before);
}
