import { expect, test } from '@jest/globals';
import { assumed } from '../../testing/assumed.ts';
import { PRESETS } from '../workload/presets.ts';
import { parseWorkload } from '../workload/workload.ts';
import { costOf } from './compare.ts';
import { LEVER_NAMES, leverTable, savedTogether, withLevers } from './levers.ts';

const workload = parseWorkload(PRESETS['small-business'].workload);
const usd = (...levers: typeof LEVER_NAMES) => costOf('serverless', withLevers(workload, levers), assumed).bill.total;

test('a lever saves what the bill is less with it than without, and nothing once it is set', () => {
  const [first] = leverTable(workload, assumed);
  expect(first).toMatchObject({ lever: 'ping', option: '--ping 60' });
  expect(first?.saved.serverless).toBeCloseTo(usd() - usd('ping'), 9);
  const [again] = leverTable(withLevers(workload, ['ping']), assumed);
  expect(again?.saved.serverless).toBe(0);
});

test('all of them save together what the bill is less', () => {
  expect(savedTogether(workload, assumed, LEVER_NAMES).serverless).toBeCloseTo(usd() - usd(...LEVER_NAMES), 9);
  expect(savedTogether(workload, assumed, []).serverless).toBe(0);
});

test('savings of an option that is ruled out are NaN', () => {
  const million = parseWorkload(PRESETS.stormforge.workload);
  expect(savedTogether(million, assumed, ['accessLogs']).serverless).toBeNaN();
});
