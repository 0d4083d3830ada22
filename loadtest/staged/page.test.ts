import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { aLoad, aState } from '../testing/staged.ts';
import { millionPage } from './page.ts';

const { sections } = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/results/simulation.json'), 'utf8'));
const full = aLoad({ clients: 4_000, tasks: 4 });
const stages = [aLoad({ clients: 400 }), aLoad({ clients: 2_000, tasks: 2 }), full];

test('what has reached its goal is told with what a million takes', () => {
  const page = millionPage(aState({ probes: [aLoad()], stages }), sections);
  expect(page).toContain('**Every stage kept all gates.**');
  expect(page).toMatch(/tasks of 1 vCPU and 2 GB \| \d+ \|/);
  expect(page).toContain('--quota-code L-3032A538');
  expect(page).toContain('| storm | 1,000,000 |');
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

test('what has not is told without', () => {
  const stopped = [...stages.slice(0, 2), { ...full, cpu: 0.95 }];
  const page = millionPage(aState({ probes: [aLoad()], stages: stopped, notes: ['Something.'] }), sections);
  expect(page).toContain('**The goal was not reached**');
  expect(page).toContain('| stage 3 | 4,000 | 4 |');
  expect(page).toContain('\nSomething.\n');
  expect(page).not.toContain('What a million takes');
});
