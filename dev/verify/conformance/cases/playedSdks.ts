import { describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { until } from '../../../../shared/testing/until.ts';
import { sdkUser } from '../../../support/sdkModel/message.ts';
import { SdkModel } from '../../../support/sdkModel/sdkModel.ts';
import { ANDROID_RULES } from '../../../support/sdkModel/sdkRules.ts';
import { SocketSdk } from '../../../support/sdkModel/socketSdk.ts';
import { type SdkName, ServerSdk } from '../clients/serverSdk.ts';
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
        const sdk = new ServerSdk(name, workspace);
        await until(() => sdk.model.store.items.size === referenceDocuments().length);
        await workspace.toggle('returns-true');
        await workspace.segment(SEGMENT, { excluded: ['x'] });
        await workspace.flag('brand-new', {});
        await until(() => sdk.isOn('brand-new'));
        expect(sdk.isOn('returns-true')).toBe(false);
        expect([sdk.connections, sdk.model.largestPatch]).toEqual([1, 1]);

        sdk.lose();
        await workspace.toggle('returns-true');
        await workspace.toggle('brand-new');
        await until(() => sdk.isOn('returns-true') === true && sdk.isOn('brand-new') === false);
        expect([sdk.connections, sdk.model.outcomes.get('ask again'), sdk.stoppedBy]).toEqual([
          2,
          undefined,
          undefined,
        ]);
        expect(sdk.violations).toEqual([]);
        sdk.close();
      },
    );

    test('Android gets its user’s flags, each change, and an answer to its pings', async () => {
      const workspace = await Workspace.create(target());
      const model = new SdkModel(ANDROID_RULES, {}, sdkUser('false-1'));
      const sdk = new SocketSdk(model, () => workspace.url('client'));
      sdk.connect();
      await until(() => model.value('individual-targeting') === 'false');
      sdk.send('{"messageType":"ping","data":null}');
      await until(() => model.outcomes.get('other') === 1);
      await workspace.toggle('returns-true');
      await workspace.segment(SEGMENT, { excluded: ['false-1'] });
      await workspace.flag('brand-new', {});
      await until(() => model.value('brand-new') === 'true');
      expect(model.value('returns-true')).toBe('false');
      expect([sdk.connections, ...model.outcomes.keys()]).toEqual([1, 'stored', 'other']);
      sdk.close();
    });
  });
}
