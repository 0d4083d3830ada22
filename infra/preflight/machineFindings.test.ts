import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { machineFindings, machineZone } from './machineFindings.ts';
import type { MachineTypes } from './machineTypes.ts';

const TYPES = {
  't2.micro': ['us-west-2a', 'us-west-2b', 'us-west-2c'],
  't3.micro': ['us-west-2a', 'us-west-2b', 'us-west-2c', 'us-west-2d'],
  'c6i.xlarge': ['us-west-2b', 'us-west-2c'],
  'c7i.xlarge': ['us-west-2b'],
  'x2.large': ['us-west-2a'],
};

const configOf = (host: Settings['host']) => readConfig({ stage: 'dev', ...(host !== undefined && { host }) });
const zoneFor = (host: Settings['host']) => {
  const { host: read } = configOf(host);
  return read && machineZone(read, TYPES);
};
const textsFor = (host: Settings['host'], types: MachineTypes = TYPES) =>
  machineFindings(configOf(host), types, 'us-west-2').map(
    ({ isRefused, text }) => `${isRefused ? 'refused' : 'warned'}: ${text}`,
  );

describe('the zone of machines', () => {
  test('is the first that offers the types of host and load generator', () => {
    expect(zoneFor(true)).toBe('us-west-2a');
    expect(zoneFor({ loadGenerator: true })).toBe('us-west-2b');
  });

  test('is unknown if no zone offers the types', () => {
    expect(zoneFor({ instanceType: 'x2.large', loadGenerator: true })).toBeUndefined();
  });
});

describe('findings about machines', () => {
  test('are none if the zones have the types, and without machines', () => {
    expect(textsFor(true)).toEqual([]);
    expect(textsFor({ availabilityZone: 'us-west-2c', loadGenerator: true })).toEqual([]);
    expect(textsFor(undefined, {})).toEqual([]);
  });

  test('refuse a zone that lacks a type, and name zone and type to set', () => {
    expect(textsFor({ availabilityZone: 'us-west-2d' })).toEqual([
      'refused: EC2 will refuse the machines in us-west-2d: t2.micro is in us-west-2a, us-west-2b, us-west-2c. ' +
        'Way out: set host.availabilityZone=us-west-2a, or host.instanceType=t3.micro',
    ]);
  });

  test('refuse types that the region lacks, and name those that replace them', () => {
    const { 't2.micro': _, 'c6i.xlarge': __, ...others } = TYPES;
    expect(textsFor({ loadGenerator: true }, others)[0]).toBe(
      'refused: EC2 will refuse the machines in us-west-2: t2.micro is in no zone, and c6i.xlarge is in no zone. ' +
        'Way out: set host.instanceType=t3.micro and host.loadGenerator.instanceType=c7i.xlarge',
    );
  });
});
