import { describe, expect, jest, test } from '@jest/globals';
import { aSync, connection, database, sender, service, stepOf } from '../testing/fixture.ts';
import { anAgent, askAgainInEachPost, deliver, die, heal, noted, put, useRecovery, wait } from '../testing/recovery.ts';
import { snapshotsOf } from '../testing/service.ts';
import { createSync } from './sync.ts';

/* Senders to an agent that die or fail, and what healing and deliveries make of it. */

// Many requests to the embedded table.
jest.setTimeout(60_000);
useRecovery();

describe('an agent', () => {
  const eventTypes = () => sender.to('agent').map(({ data }) => data.eventType);

  test.each([
    ['before it read the environment', 1, 'Query', 1],
    ['between the rows of two environments', 2, 'begin', 2],
  ] as const)('gets its secrets if its sender died %s, though a push came first', async (_, count, step, nth) => {
    const { event } = await anAgent(count);
    await die(step, event(), nth);
    wait(30_000);
    await deliver(await put('g'), 'agent');
    wait(30_000);
    await heal();
    expect(eventTypes()).toContain('rp_full');
    expect(await noted()).toEqual([]);
  });

  test('is answered if the lease of one environment has expired and another has not', async () => {
    const { event } = await anAgent(2);
    let begins = 0;
    await new Promise<void>((resolve) => {
      const sync = aSync((call, send) => {
        if (stepOf(call) === 'begin' && ++begins === 2) {
          wait(10_000);
          throw new Error('throttled');
        }
        if (stepOf(call) !== 'Query') return send();
        resolve();
        return new Promise(() => {});
      });
      void sync(event());
    });
    wait(20_500);
    await aSync()(event());
    expect(eventTypes()).toEqual(['rp_full']);
  });

  test.each([
    ['failing', ['rp_full']],
    ['uncertain', []],
  ] as const)('gets at once after a post that was %s: %j', async (outcome, answers) => {
    const { event } = await anAgent(2);
    sender[outcome].add('agent');
    await aSync()(event());
    sender[outcome].clear();
    wait(1_000);
    await aSync()(event());
    expect(eventTypes()).toEqual(answers);
    wait(60_000);
    await heal();
    expect(eventTypes()).toContain('rp_full');
    expect(await noted()).toEqual([]);
  });

  test('is answered until time ends if it asks again in each post, then left to healing', async () => {
    const { event } = await anAgent(1);
    const deadline = service.effects.now() + 20_000;
    const posts = askAgainInEachPost(event);
    await aSync()(event());
    expect(posts.at(-1)).toBeLessThanOrEqual(deadline);
    expect([await noted(), (await connection('agent'))?.state]).toMatchObject([['agent'], { kind: 'waiting' }]);
  });

  test('is healed if its later data-sync was killed', async () => {
    const { event } = await anAgent(1);
    await aSync()(event());
    await put('g');
    wait(1_000);
    await die('Query', event());
    wait(60_000);
    await heal();
    expect(eventTypes().slice(1)).toEqual(['rp_full', 'rp_patch']);
    expect(await noted()).toEqual([]);
  });

  test('is not tried repeatedly if its relay was revoked', async () => {
    const { relay } = await anAgent(1);
    await service.store.relays.revoke(relay.record.id);
    wait(35_000);
    await heal();
    expect([sender.sent, await noted()]).toEqual([[], []]);
  });

  test('is answered at once after a failure in one environment, though another was slow', async () => {
    const { event, envIds } = await anAgent(3);
    let isSlow = true;
    await aSync(async (call, send) => {
      const key = JSON.stringify(call.input.Key ?? '');
      if (stepOf(call) === 'begin' && key.includes(envIds[1] as string)) throw new Error('throttled');
      if (stepOf(call) === 'begin' && key.includes(envIds[2] as string) && isSlow) {
        isSlow = false;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return send();
    })(event());
    wait(1_000);
    const before = service.effects.now();
    await aSync()(event());
    expect([service.effects.now() - before, eventTypes()]).toEqual([0, ['rp_full']]);
  });

  test('leaves no request behind that takes a lease after healing if its answer failed', async () => {
    const { event, envIds, states } = await anAgent(3);
    let isFailing = true;
    const { connections, relays } = database.open(service.effects, async (call, send) => {
      const key = JSON.stringify(call.input.Key ?? '');
      const isOther = key.includes(envIds[1] as string) || key.includes(envIds[2] as string);
      if (stepOf(call) === 'begin' && isOther && isFailing) throw new Error('throttled');
      return send();
    });
    let pauses = 0;
    const pause = async (ms: number) => {
      // The first to pause is slow.
      if (++pauses === 1) await new Promise((resolve) => setTimeout(resolve, 200));
      wait(ms);
    };
    const effects = { ...service.effects, pause };
    await createSync({ connections, relays, snapshots: snapshotsOf(service), sender, effects })(event());
    isFailing = false;
    wait(60_000);
    await heal();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([await states(), await noted()]).toEqual([['current', 'current', 'current'], []]);
  });
});
