import { expect, test } from '@jest/globals';
import { environmentToOpen, sortedByName } from './environments.ts';

const named = (name: string, isProduction = false) => ({ id: `${name}-id`, name, isProduction });
const [dev, prod, live] = [named('dev'), named('prod', true), named('live', true)];

test('environments come by name', () => {
  expect(sortedByName([named('stage 10'), named('stage 2'), dev]).map(({ name }) => name)).toEqual([
    'dev',
    'stage 2',
    'stage 10',
  ]);
});

test('the last used environment opens, else the first that is not production', () => {
  expect(environmentToOpen([prod, dev], undefined)).toBe(dev);
  expect(environmentToOpen([dev, prod], prod.id)).toBe(prod);
  expect(environmentToOpen([prod, dev], 'gone')).toBe(dev);
});

test('the environment of the keys of npm start opens, unless another was used last', () => {
  const other = named('a');
  expect(environmentToOpen([other, dev], undefined, dev.id)).toBe(dev);
  expect(environmentToOpen([other, dev], other.id, dev.id)).toBe(other);
  expect(environmentToOpen([other, dev], undefined, 'gone')).toBe(other);
});

test('production opens by itself only where there is nothing else', () => {
  expect(environmentToOpen([prod], undefined)).toBe(prod);
  expect(environmentToOpen([live, prod], undefined)).toBeUndefined();
  expect(environmentToOpen([], undefined)).toBeUndefined();
});
