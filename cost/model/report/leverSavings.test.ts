import { expect, test } from '@jest/globals';
import { assumed } from '../../testing/assumed.ts';
import { PRESETS } from '../workload/presets.ts';
import { parseWorkload } from '../workload/workload.ts';
import { costOf } from './compare.ts';
import { LEVER_NAMES, leverTable, savedTogether, withLevers } from './levers.ts';

const workload = parseWorkload(PRESETS['small-business'].workload);
const usd = (...levers: typeof LEVER_NAMES) => costOf('serverless', withLevers(workload, levers), assumed).bill.total;

test('a lever saves what the bill is less with it than without, the others as they are', () => {
  const [first] = leverTable(workload, assumed, ['accessLogs']);
  expect(first).toMatchObject({ lever: 'ping', isOn: false });
  expect(first?.saved.serverless).toBeCloseTo(usd('accessLogs') - usd('accessLogs', 'ping'), 9);
  const set = leverTable(workload, assumed, ['ping']).find(({ lever }) => lever === 'ping');
  expect(set?.isOn).toBe(true);
  expect(set?.saved.serverless).toBeCloseTo(usd() - usd('ping'), 9);
});

test('those that are set save together what the bill is less', () => {
  expect(savedTogether(workload, assumed, LEVER_NAMES).serverless).toBeCloseTo(usd() - usd(...LEVER_NAMES), 9);
  expect(savedTogether(workload, assumed, []).serverless).toBe(0);
});

test('savings of an option that is ruled out are NaN', () => {
  const million = parseWorkload(PRESETS.stormforge.workload);
  expect(savedTogether(million, assumed, ['accessLogs']).serverless).toBeNaN();
});
