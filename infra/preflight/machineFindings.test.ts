import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { machineFindings, machineZone, typesOutside } from './machineFindings.ts';
import type { MachineTypes } from './machineTypes.ts';

const TYPES = {
  't2.micro': ['us-west-2a', 'us-west-2b', 'us-west-2c'],
  'c6i.xlarge': ['us-west-2b', 'us-west-2c'],
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

  test('refuse a zone that lacks a type, and name the zones that have it', () => {
    expect(textsFor({ availabilityZone: 'us-west-2d' })).toEqual([
      'refused: AWS will refuse the machines in us-west-2d: t2.micro can be in us-west-2a, us-west-2b, us-west-2c. ' +
        'Set another host.availabilityZone, or other instance types, such as t3.micro and c7i.xlarge',
    ]);
  });

  test('refuse a zone without VPC origins, which is not usable', () => {
    const usable = typesOutside(TYPES, ['us-west-2a']);
    expect(textsFor(true, usable)).toEqual([]);
    expect(textsFor({ availabilityZone: 'us-west-2a' }, usable)).toEqual([
      expect.stringMatching(/^refused: AWS will refuse .* t2\.micro can be in us-west-2b, us-west-2c\. /),
    ]);
  });

  test('refuse types that the region lacks', () => {
    const { 't2.micro': _, 'c6i.xlarge': __, ...others } = TYPES;
    expect(textsFor({ loadGenerator: true }, others)[0]).toBe(
      'refused: AWS will refuse the machines in us-west-2: t2.micro can be in no zone, and c6i.xlarge can be in no zone. ' +
        'Set another host.availabilityZone, or other instance types, such as t3.micro and c7i.xlarge',
    );
  });
});
