import { expect, test } from '@jest/globals';
import { assumed } from '../testing/assumed.ts';
import { breakEvenByStage } from './breakEven.ts';

test.each([
  // $0.0116 an hour over (2 × 3,600 / ping + 60 / 4) millionths of a dollar.
  [18, 0.0116 / (415 * 1e-6)],
  [10, 0.0116 / (735 * 1e-6)],
  [540, 0.0116 / ((7_200 / 540 + 15) * 1e-6)],
])('at %i s pings, messages and minutes alone come to a t2.micro’s hours at %f connections', (ping, expected) => {
  const [first] = breakEvenByStage(ping, assumed).stages;
  expect(first?.connections).toBeGreaterThan(expected * 0.999);
  expect(first?.connections).toBeLessThan(expected * 1.002);
});

test('costs of clients lower the break-even, and other costs of the machine raise it', () => {
  const [bare, connecting, , , address, looks] = breakEvenByStage(18, assumed).stages.map(
    ({ connections }) => connections,
  ) as number[];
  expect(connecting).toBeLessThan(bare as number);
  expect(looks).toBeGreaterThan(address as number);
});
