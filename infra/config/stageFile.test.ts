import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StageFile } from './stageFile.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-settings-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = (name: string) => join(directory, name);
const prod = () => new StageFile('prod', directory);
const write = (content: unknown) => writeFileSync(path('flagwire.prod.json'), JSON.stringify(content));
const save = (assignments: readonly string[]) => {
  const file = prod();
  file.set(assignments);
  file.save();
};
const written = () => JSON.parse(readFileSync(path('flagwire.prod.json'), 'utf8'));

describe('the file of a stage', () => {
  test('gives defaults where it is not there', () => {
    expect(prod().config()).toMatchObject({ stage: 'prod', lean: false, throttlingRate: 10_000 });
  });

  test('gives its settings, and no other stage’s', () => {
    write({
      domain: { name: 'flags.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a' },
    });
    expect(prod().config().domain?.name).toBe('flags.example.com');
    expect(new StageFile('dev', directory).config()).not.toHaveProperty('domain');
  });

  test('may have a byte-order mark; other bytes are refused with the line', () => {
    writeFileSync(path('flagwire.prod.json'), Buffer.from('\ufeff{"throttlingBurst":7}', 'utf16le'));
    expect(prod().config()).toMatchObject({ throttlingBurst: 7 });
    writeFileSync(path('flagwire.prod.json'), Buffer.from('{"\u00f6":1}', 'latin1'));
    expect(() => prod().config()).toThrow(
      'flagwire.prod.json: line 1 has bytes that are not UTF-8. Save the file as UTF-8.',
    );
  });

  test('is completed by settings from elsewhere', () => {
    write({ throttlingBurst: 7 });
    expect(prod().config({ throttlingRate: 70 })).toMatchObject({ throttlingRate: 70, throttlingBurst: 7 });
  });

  test.each([
    [{ throttlingRate: 0 }, 'flagwire.prod.json: throttlingRate=0 cannot be used: '],
    [{ fargate: { vcpus: 1 } }, 'flagwire.prod.json: fargate.vcpus is not a setting: did you mean fargate.vcpu?'],
    [{ stage: 'dev' }, 'flagwire.prod.json: remove stage: the file name already says it.'],
    [['a'], 'flagwire.prod.json: not a JSON object.'],
    [
      { throttlingRate: 0, lean: 'yes' },
      /^flagwire\.prod\.json: throttlingRate=0 cannot be used: .*\nflagwire\.prod\.json: lean=yes cannot be used: .*$/,
    ],
  ])('is named where it cannot be used: %j', (content, message) => {
    write(content);
    expect(() => prod().config()).toThrow(message);
  });

  test('is named where it is not JSON', () => {
    writeFileSync(path('flagwire.prod.json'), '{');
    expect(() => prod().config()).toThrow(/^flagwire\.prod\.json: not JSON: /);
  });

  test.each(['Prod', '../prod', '', '1a', 'a'.repeat(21)])('is of a stage that has a name: not %j', (stage) => {
    expect(() => new StageFile(stage, directory)).toThrow(`stage=${stage} cannot be used: a stage is `);
  });
});

describe('settings from a command line', () => {
  test('count at once, and are written only when the file is saved', () => {
    write({ lean: true, tracing: true });
    const file = prod();
    file.set(['lean=', 'throttlingBurst=7']);
    expect(file.config()).toMatchObject({ lean: false, throttlingBurst: 7 });
    expect(file.read()).toEqual({ tracing: true, throttlingBurst: 7, stage: 'prod' });
    expect(written()).toEqual({ lean: true, tracing: true });
    file.save();
    expect(written()).toEqual({ tracing: true, throttlingBurst: 7 });
  });

  test('have the file as their source, or only defaults if it does not exist', () => {
    const file = prod();
    expect(file.sources).toBe('defaults only: flagwire.prod.json does not exist');
    file.set(['lean=true']);
    file.save();
    expect(file.sources).toBe('flagwire.prod.json, and defaults for the rest');
  });

  test('are written as what their setting takes', () => {
    save([
      'account=123456789012',
      'tracing=true',
      'fargate.vcpu=0.5',
      'fargate.balancer=internal',
      'tags.team=42',
      'operatorPolicies.editorEnvironments=226b9bf8-4af3-4ffa-9b01-162270e4cd40',
    ]);
    expect(written()).toEqual({
      account: '123456789012',
      tracing: true,
      fargate: { vcpu: 0.5, balancer: 'internal' },
      tags: { team: '42' },
      operatorPolicies: { editorEnvironments: ['226b9bf8-4af3-4ffa-9b01-162270e4cd40'] },
    });
  });

  test('leave others as they are, and are taken out by an empty value', () => {
    write({ host: true, lean: true, tags: { team: 'web' } });
    save(['host.metricsSeconds=1', 'lean=']);
    expect(written()).toEqual({ host: { metricsSeconds: 1 }, tags: { team: 'web' } });
  });

  test('may turn a group on as a whole', () => {
    save(['host=true']);
    expect(written()).toEqual({ host: true });
  });

  test.each([
    [['throttlingRate=none'], 'flagwire.prod.json with --set: throttlingRate=none cannot be used: '],
    [['domain.name=flags.example.com'], 'flagwire.prod.json with --set: domain.certificateArn is missing: '],
    [
      ['throttlingRate=none', 'lean=1'],
      /^flagwire\.prod\.json with --set: throttlingRate=none cannot be used: .*\nflagwire\.prod\.json with --set: lean=1 cannot be used: .*$/,
    ],
    [['region=eu-wst-1'], '--set region=eu-wst-1: unknown region. Did you mean eu-west-1? '],
    [
      ['region=Frankfurt'],
      'flagwire.prod.json with --set: region=Frankfurt cannot be used: an AWS region looks like eu-central-1.',
    ],
    [['domain.nam=a'], '--set domain.nam=a: domain.nam is not a setting: did you mean domain.name?'],
    [['stage=dev'], '--set stage cannot be used: write npm run deploy -- <stage>.'],
    [['lean'], '--set lean has no value: write --set key=value.'],
  ])('change nothing where one cannot be used: %j', (assignments, message) => {
    expect(() => save(['tracing=true', ...assignments])).toThrow(message);
    expect(existsSync(path('flagwire.prod.json'))).toBe(false);
  });
});
