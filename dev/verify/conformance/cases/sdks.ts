import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../shared/testing/until.ts';
import { BrowserSdk, forgetBrowserStorage } from '../clients/browserSdk.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';
import { untilEnd } from './untilEnd.ts';

/** FeatBit's SDKs as they are published: start, follow changes, change user, over streaming and polling. */
export function sdkCases(target: GetTarget): void {
  describe.each(['streaming', 'polling'] as const)('SDKs over %s', (mode) => {
    beforeEach(forgetBrowserStorage);

    test('the Node server SDK starts with the flags and follows changes of flags and segments', async () => {
      const workspace = await Workspace.create(target());
      const sdk = untilEnd(await NodeSdk.start(workspace, mode));
      expect(await sdk.value('returns-true')).toBe('true');
      expect(await sdk.value('individual-targeting', 'false-1')).toBe('false');
      expect(await sdk.value('custom-rule-with-segment', 'x', { age: '25' })).toBe('false');
      await workspace.toggle('returns-true');
      await sdk.becomes('returns-true', 'false');
      await workspace.segment('556c11b2-f08a-4e10-b0b7-af8e008125b3', { excluded: ['x'] });
      await sdk.becomes('custom-rule-with-segment', 'true', 'x', { age: '25' });
      await workspace.flag('brand-new', {});
      await sdk.becomes('brand-new', 'true');
    });

    test('the browser SDK starts with its user’s flags, follows changes, and carries on as another user', async () => {
      const workspace = await Workspace.create(target());
      const sdk = untilEnd(await BrowserSdk.start(workspace, 'false-1', mode));
      expect(await sdk.value('returns-true')).toBe('true');
      expect(await sdk.value('individual-targeting')).toBe('false');
      await workspace.toggle('returns-true');
      await sdk.becomes('returns-true', 'false');
      await sdk.identify('true-1');
      await sdk.becomes('individual-targeting', 'true');
      await workspace.flag('individual-targeting', (flag) => ({ ...flag, isEnabled: false }));
      await sdk.becomes('individual-targeting', 'false');
      await workspace.flag('brand-new', {});
      await sdk.becomes('brand-new', 'true');
      await workspace.flag('brand-new', { isArchived: true });
      await until(
        () => sdk.value('brand-new'),
        (value) => value !== 'true',
      );
    });

    test('an SDK that was away asks with its cursor and has what changed meanwhile', async () => {
      const workspace = await Workspace.create(target());
      const user = `returning-${workspace.envId}`;
      const first = await BrowserSdk.start(workspace, user, mode);
      expect(await first.value('returns-true')).toBe('true');
      await first.close();
      await workspace.toggle('returns-true');
      const again = untilEnd(await BrowserSdk.start(workspace, user, mode));
      await again.becomes('returns-true', 'false');
    });
  });
}
