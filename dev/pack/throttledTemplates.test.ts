import { expect, test } from '@jest/globals';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizeTemplates, type Template } from '../../infra/inProcess.ts';
import { RECORDED, throttledTemplates } from './throttledTemplates.ts';

const recorded = JSON.stringify(synthesizeTemplates(readConfig({ ...RECORDED })));

/** What the emulator reads. */
function emulated(templates: Readonly<Record<string, Template>>): object[] {
  return Object.values(templates).map(({ Resources, Outputs }) => ({
    Outputs,
    Resources: Object.entries(Resources)
      .filter(([, { Type }]) => Type !== 'AWS::CloudWatch::Alarm')
      .map(([id, { Metadata, ...resource }]) => ({ id, entry: Metadata?.['flagwire:entry'], ...resource })),
  }));
}

test.each([
  ['the default account', 10_000, 5_000],
  ['the raised account', 100_000, 50_000],
  ['a tenth of the raised account', 10_000, 5_000],
  ['0.4 of the raised account', 40_000, 20_000],
  ['0.25 of the default account', 2_500, 1_250],
  ['0.1 of the default account', 1_000, 500],
  ['0.0777 of the default account', 777, 389],
  ['0.001 of the default account', 10, 5],
  ['the least', 1, 1],
])('templates for %s are those that CDK makes', (_, throttlingRate, throttlingBurst) => {
  const throttle = { throttlingRate, throttlingBurst };
  const synthesized = synthesizeTemplates(readConfig({ ...throttle }));
  expect(emulated(throttledTemplates(recorded, throttle))).toEqual(emulated(JSON.parse(JSON.stringify(synthesized))));
});
