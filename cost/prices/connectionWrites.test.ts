import { expect, test } from '@jest/globals';
import { aSync, database, service, skippingPauses, useService } from '../../functions/testing/fixture.ts';
import { dataSync, messageEvent } from '../../functions/testing/service.ts';
import { createDisconnect } from '../../functions/websocket/disconnect.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { CONNECTION_WRITES } from './serviceFacts.ts';

useService();

/** Counts the write units of what goes to the tables while something happens. */
async function unitsOf(act: (meter: Intercept) => Promise<unknown>): Promise<number> {
  let units = 0;
  await act(async ({ name, input }, send) => {
    input.ReturnConsumedCapacity = 'TOTAL';
    // biome-ignore lint/suspicious/noExplicitAny: what a command answers.
    const answer = (await send()) as any;
    if (name !== 'GetItem' && name !== 'Query') units += answer.output.ConsumedCapacity.CapacityUnits;
    return answer;
  });
  return units;
}

test('a connection takes as many writes as the model and the capacity page count', async () => {
  const { documents } = service.store;
  await documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
  const body = dataSync(0, aUser('u1'));
  const open = (meter: Intercept) => database.open(skippingPauses(), meter).connections;

  const noted = await unitsOf((meter) =>
    open(meter).unanswered.note({ id: 'c', since: service.effects.now(), context: { envId: service.envId } }),
  );
  const first = await unitsOf((meter) => aSync(meter)(messageEvent(service, { body })));
  expect(noted + first).toBe(CONNECTION_WRITES.notes + CONNECTION_WRITES.states);

  service.effects.clock.now += 1;
  const later = await unitsOf((meter) => aSync(meter)(messageEvent(service, { body })));
  expect(later).toBe(CONNECTION_WRITES.notes + CONNECTION_WRITES.states);

  const ended = await unitsOf((meter) => createDisconnect(open(meter), service.effects.now)(messageEvent(service)));
  expect(ended).toBe(CONNECTION_WRITES.removal);
});
