import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { busiestRate, parseScript, readScript, SDK_SCRIPT } from './script.ts';
import { SDKS } from './sdks.ts';

const script = (config: object = {}, scenarios: readonly object[] = [{ name: 'go', weight: 1 }]) =>
  parseScript(stringify({ config: { phases: [{ duration: 1, arrivalRate: 2 }], ...config }, scenarios }), 'mine.yml');

test('the included script has every SDK, with its pings', () => {
  const { sdks, drain, flags } = readScript(SDK_SCRIPT);
  expect(Object.keys(sdks).toSorted()).toEqual(Object.keys(SDKS).toSorted());
  expect(sdks).toMatchObject({ 'js-client': { weight: 80, pingS: 18, identifyPercent: 10 }, go: { pingS: 10 } });
  expect([drain, flags]).toEqual([{ atS: 40, overS: 5 }, 3_000]);
});

test('changes only what it sets, and keeps the defaults', () => {
  expect(script()).toEqual({
    phases: [{ duration: 1, arrivalRate: 2 }],
    flags: 3_000,
    sdks: { go: { weight: 1, pingS: 10, identifyPercent: 0 } },
  });
  const longer = { phases: [{ duration: 9, arrivalRate: 2 }], variables: { drainAt: 7 } };
  const changed = script(longer, [{ name: 'node', weight: 2, variables: { ping: 60 } }]);
  expect(changed).toMatchObject({ drain: { atS: 7, overS: 5 }, sdks: { node: { pingS: 60 } } });
  expect(busiestRate(script({ phases: [{ duration: 1, arrivalRate: 2 }, { pause: 1 }] }))).toBe(2);
});

test.each([
  ['an SDK that is none', {}, [{ name: 'cobol', weight: 1 }], 'scenarios[0].name'],
  [
    'a word instead of a number',
    {},
    [{ name: 'go', weight: 'one' }],
    'it must be a number\n  → at scenarios[0].weight',
  ],
  ['a key that is none', { phasen: [] }, undefined, 'Unrecognized key: "phasen"'],
  ['nobody who comes', { phases: [{ pause: 3 }] }, undefined, 'none of them opens connections'],
  ['a drain of nobody', { variables: { drainAt: 1 } }, undefined, 'all phases are over after 1 s, before drainAt'],
  ['one SDK twice', {}, Array(2).fill({ name: 'go', weight: 1 }), 'an SDK is there twice'],
  [
    'users of a server',
    {},
    [{ name: 'go', weight: 1, variables: { identifyPercent: 1 } }],
    'go runs on a server and has no user',
  ],
])('%s is refused, and where', (_, config, scenarios, why) => {
  expect(() => script(config, scenarios)).toThrow(why);
  expect(() => script(config, scenarios)).toThrow('mine.yml cannot be used');
});
