import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { EnvironmentFeed } from '../feeds/environmentFeed.ts';
import { SendBudget } from '../feeds/sendBudget.ts';
import type { Subscriber } from '../feeds/subscriber.ts';
import { TestTransport } from '../testing/transport.ts';
import { SdkSession } from './sdkSession.ts';

let answered: string[];
let removed: string[];
let caughtUp: string[];
let current: string;
let released: number;
let session: SdkSession;
beforeEach(() => {
  [answered, removed, caughtUp, current, released] = [[], [], [], 'first', 0];
  const feedOf = (name: string) => ({
    answer: async (subscriber: Subscriber) => void answered.push(`${name} ${subscriber.type}`),
    remove: () => void removed.push(name),
    catchUp: () => void caughtUp.push(name),
  });
  const feeds = new Map(['first', 'second'].map((name) => [name, feedOf(name) as unknown as EnvironmentFeed]));
  session = new SdkSession(
    {
      feeds: { of: () => feeds.get(current) as EnvironmentFeed },
      sendBudget: new SendBudget(1_000, systemEffects.monotonic),
    },
    new TestTransport(),
    { envId: 'env', type: 'server' },
    () => {
      released++;
    },
  );
});
const ask = () => session.sync({ timestamp: 0 });

describe('an SDK’s session', () => {
  test('is answered by its environment’s feed, and leaves it only for another', async () => {
    await ask();
    await ask();
    expect([answered, removed]).toEqual([['first server', 'first server'], []]);
    current = 'second';
    await ask();
    expect([answered.at(-1), removed]).toEqual(['second server', ['first']]);
    session.catchUp();
    expect(caughtUp).toEqual(['second']);
  });

  test('is not answered after its connection has closed, and is released when it ends', async () => {
    await ask();
    session.closed();
    await ask();
    expect(answered).toHaveLength(1);
    session.release();
    expect([released, removed]).toEqual([1, ['first']]);
  });
});
