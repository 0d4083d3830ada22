import { describe, expect, test } from '@jest/globals';
import { readLimits, workersFor } from './limits.ts';
import { WrongArguments } from './outcome.ts';

const limits = { files: 20_000, ports: 28_000 };

describe('workers', () => {
  test('are as many as files and an even rate take', () => {
    expect(workersFor(1_000, 100, 8, limits)).toBe(1);
    expect(workersFor(22_000, 1_100, 8, limits)).toBe(2);
    expect(workersFor(60_000, 1_000, 8, limits)).toBe(4);
  });

  test('are refused with the way out if ports do not suffice', () => {
    const few = () => workersFor(30_000, 100, 1, limits);
    expect(few).toThrow(WrongArguments);
    expect(few).toThrow(
      'more ports than this machine has for 1 address(es): 28000 each. Widen the range (Linux: net.ipv4.ip_local_port_range; Mac: net.inet',
    );
    expect(workersFor(30_000, 100, 2, limits)).toBe(2);
  });
});

test('this machine has limits', () => {
  const { files, ports } = readLimits();
  expect(files).toBeGreaterThan(100);
  expect(ports).toBeGreaterThan(100);
});
