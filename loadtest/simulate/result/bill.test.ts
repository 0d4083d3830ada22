import { expect, test } from '@jest/globals';
import { deliverySettings } from '../scenarios/deliverySettings.ts';
import { push } from '../scenarios/push.ts';
import { storm } from '../scenarios/storm.ts';
import { smallPopulation } from '../testing/population.ts';
import { billOf } from './bill.ts';

test('a storm is billed by its data-syncs, answers, calls and pings', () => {
  const { outcome } = storm(smallPopulation(), 1);
  const { items } = billOf(outcome);
  const quantity = (what: string) => items.find((item) => item.what === what)?.quantity;
  expect(quantity('data-syncs, answers')).toBe(400);
  expect(quantity('patches')).toBe(0);
  expect(items.filter(({ what }) => what === 'connect').map(({ quantity }) => quantity)[0]).toBe(200);
});

test('a push is billed by its patches', () => {
  const population = smallPopulation({ requests: 10_000 });
  const bill = billOf(push(population, deliverySettings(population.account)));
  expect(bill.items.find(({ what }) => what === 'patches')?.quantity).toBe(200);
  expect(bill.total).toBeGreaterThan(200 / 1e6);
});
