import { describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { until } from '../../../../shared/testing/until.ts';
import { PlayedAndroid } from '../clients/playedAndroid.ts';
import { PlayedSdk, type SdkName } from '../clients/playedSdk.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';

const NAMES: readonly SdkName[] = ['Go', 'Java', '.NET', 'Rust', 'Ruby'];
const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';

/** FeatBit's SDKs that this suite does not run, played from their sources: each takes what it is sent at the first attempt. */
export function playedSdkCases(target: GetTarget): void {
  describe('played SDKs', () => {
    test.each(NAMES)(
      '%s starts, follows changes on one connection, and comes back for what it missed',
      async (name) => {
        const workspace = await Workspace.create(target());
        const sdk = new PlayedSdk(name, workspace);
        await until(() => sdk.items.size === referenceDocuments().length);
        await workspace.toggle('returns-true');
        await workspace.segment(SEGMENT, { excluded: ['x'] });
        await workspace.flag('brand-new', {});
        await until(() => sdk.isOn('brand-new'));
        expect(sdk.isOn('returns-true')).toBe(false);
        expect([sdk.connections, sdk.resyncs, sdk.largestPatch]).toEqual([1, 0, 1]);

        sdk.lose();
        await workspace.toggle('returns-true');
        await workspace.toggle('brand-new');
        await until(() => sdk.isOn('returns-true') === true && sdk.isOn('brand-new') === false);
        expect([sdk.connections, sdk.resyncs, sdk.stoppedBy]).toEqual([2, 0, undefined]);
        sdk.close();
      },
    );

    test('Android gets its user’s flags, each change, and an answer to its pings', async () => {
      const workspace = await Workspace.create(target());
      const sdk = new PlayedAndroid(workspace, 'false-1');
      await until(() => sdk.flags.get('individual-targeting')?.variation === 'false');
      sdk.ping();
      await until(() => sdk.pongs === 1);
      await workspace.toggle('returns-true');
      await workspace.segment(SEGMENT, { excluded: ['false-1'] });
      await workspace.flag('brand-new', {});
      await until(() => sdk.flags.get('brand-new')?.variation === 'true');
      expect(sdk.flags.get('returns-true')?.variation).toBe('false');
      expect([sdk.invalid, sdk.ignored]).toEqual([0, 0]);
      sdk.close();
    });
  });
}
