import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../../shared/testing/until.ts';
import { type SdkUser, sdkUser } from '../../../support/sdkModel/message.ts';
import { MobileSdk } from '../clients/mobileSdk.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';
/** Number of pauses of a client while flags are edited. */
const PAUSES = 20;

/** A phone, which is connected in the foreground alone, and must miss nothing by it. */
export function mobileCases(target: GetTarget): void {
  describe('a client that pauses in the background', () => {
    const clients: MobileSdk[] = [];
    const clientOf = (workspace: Workspace, user: SdkUser) => {
      const client = new MobileSdk(workspace, user);
      clients.push(client);
      return client;
    };
    afterEach(() => {
      for (const client of clients.splice(0)) client.pause();
    });

    /** The values for a client without a cursor. */
    const freshValues = async (workspace: Workspace, user: SdkUser) => {
      const client = clientOf(workspace, user);
      expect((await client.resume()).event).toBe('full');
      return client.values;
    };

    test.each<[string, readonly string[], object]>([
      ['an empty patch after no change', [], { event: 'patch', keys: [] }],
      ['a patch after one change', ['returns-true'], { event: 'patch', keys: ['returns-true'] }],
      [
        'one flag after two changes of it',
        ['returns-true', 'returns-true'],
        { event: 'patch', keys: ['returns-true'] },
      ],
      ['everything after several changes', ['returns-true', 'two-custom-rules'], { event: 'full' }],
    ])('resumes with its cursor and gets %s, then each change', async (_, toggled, expected) => {
      const workspace = await Workspace.create(target());
      const client = clientOf(workspace, sdkUser('u1'));
      expect(await client.resume()).toMatchObject({ event: 'full' });
      client.pause();
      for (const key of toggled) await workspace.toggle(key);
      expect(await client.resume()).toMatchObject(expected);
      expect(client.cursors).toEqual([0, 1674885485421]);
      expect(client.values).toEqual(await freshValues(workspace, sdkUser('u1')));

      const before = client.value('returns-true');
      await workspace.toggle('returns-true');
      await until(() => client.value('returns-true') !== before);
      expect(client.commits.at(-1)).toEqual({ event: 'patch', keys: ['returns-true'] });
      expect([client.commits.length, client.outcomes.get('ignored')]).toEqual([3, undefined]);
    });

    test('gets what a segment, targets, and an archived or new flag mean for its user meanwhile', async () => {
      const workspace = await Workspace.create(target());
      const user = sdkUser('x', { age: '25' });
      const client = clientOf(workspace, user);
      await client.resume();
      expect(client.value('custom-rule-with-segment')).toBe('false');
      const changes: readonly (() => Promise<unknown>)[] = [
        () => workspace.segment(SEGMENT, { excluded: ['x'] }),
        () => workspace.flag('returns-true', { isArchived: true }),
        () => workspace.flag('returns-true', { isArchived: false }),
        () =>
          workspace.flag('brand-new', (flag) => ({
            ...flag,
            targetUsers: [{ keyIds: ['x'], variationId: 'brand-new-false' }],
          })),
      ];
      for (const change of changes) {
        client.pause();
        await change();
        expect(await client.resume()).toMatchObject({ event: 'patch', keys: { length: 1 } });
        expect(client.values).toEqual(await freshValues(workspace, user));
      }
      expect([client.value('custom-rule-with-segment'), client.value('brand-new')]).toEqual(['true', 'false']);
    });

    test('resumes as another user with everything, and later as the first with what that one missed', async () => {
      const workspace = await Workspace.create(target());
      const [first, second] = [sdkUser('false-1'), sdkUser('true-1')];
      const client = clientOf(workspace, first);
      await client.resume();
      expect(client.value('individual-targeting')).toBe('false');
      client.pause();
      client.identify(second);
      expect(client.values).toEqual({});
      await workspace.toggle('returns-true');
      expect(await client.resume()).toMatchObject({ event: 'full', keys: { length: 5 } });
      expect([client.value('individual-targeting'), client.value('returns-true')]).toEqual(['true', 'false']);

      client.pause();
      client.identify(first);
      expect(client.value('returns-true')).toBe('true');
      expect(await client.resume()).toEqual({ event: 'patch', keys: ['returns-true'] });
      expect([client.value('individual-targeting'), client.value('returns-true')]).toEqual(['false', 'false']);
      client.pause();
      client.identify(second);
      expect(await client.resume()).toEqual({ event: 'patch', keys: [] });
      expect(client.values).toEqual(await freshValues(workspace, second));
      expect(client.outcomes.get('ignored')).toBeUndefined();
    });

    test('takes other attributes of its user for another context, paused and connected', async () => {
      const workspace = await Workspace.create(target());
      const [young, old] = [sdkUser('x', { age: '15' }), sdkUser('x', { age: '25' })];
      const client = clientOf(workspace, young);
      await client.resume();
      const valuesOfYoung = client.values;
      client.pause();
      client.identify(old);
      expect((await client.resume()).event).toBe('full');
      expect(client.values).toEqual(await freshValues(workspace, old));
      expect(client.values).not.toEqual(valuesOfYoung);
      client.identify(young);
      // API Gateway's connection gets everything: a change of before may be on its way (docs/decisions/0003-snapshots.md).
      await until(() => client.commits.length === 3);
      expect(client.values).toEqual(valuesOfYoung);
      await workspace.toggle('two-custom-rules');
      const changed = await freshValues(workspace, young);
      expect(changed).not.toEqual(valuesOfYoung);
      await until(() => isDeepStrictEqual(client.values, changed));
    });

    test('asks with the same cursor again where it was paused before the answer came', async () => {
      const workspace = await Workspace.create(target());
      const client = clientOf(workspace, sdkUser('u1'));
      await client.resumeBriefly();
      expect((await client.resume()).event).toBe('full');
      client.pause();
      await workspace.toggle('returns-true');
      await client.resumeBriefly();
      await client.resumeBriefly();
      expect(await client.resume()).toEqual({ event: 'patch', keys: ['returns-true'] });
      expect(client.cursors).toEqual([0, 0, ...Array(3).fill(1674885485421)]);
      expect(client.values).toEqual(await freshValues(workspace, sdkUser('u1')));
    });

    test('loses nothing where it is paused and resumed again and again while flags are edited', async () => {
      const workspace = await Workspace.create(target());
      const user = sdkUser('u1');
      const client = clientOf(workspace, user);
      const keys = ['returns-true', 'two-custom-rules', 'return-10p-true'];
      const edits = (async () => {
        for (let n = 0; n < PAUSES; n++) await workspace.toggle(keys[n % keys.length] ?? '');
        await workspace.flag('last', {});
      })();
      for (let n = 0; n < PAUSES; n++) {
        await client.resume();
        client.pause();
      }
      await edits;
      await client.resume();
      expect(client.value('last')).toBe('true');
      expect(client.values).toEqual(await freshValues(workspace, user));
      expect(client.outcomes.get('ignored')).toBeUndefined();
    });
  });
}
