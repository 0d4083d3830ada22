import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { costCommand, readOptions } from './options.ts';

const readArgv = (argv: readonly string[]) => readOptions(costCommand().parse(argv, { from: 'user' }));

const directory = mkdtempSync(join(tmpdir(), 'flagwire-cost-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'workload.json');
writeFileSync(file, JSON.stringify({ connections: 10, lean: true, pongs: false }));

/** What options take that name no default in their description. */
const values: Readonly<Record<string, string>> = {
  '--preset': 'saas',
  '--workload': file,
  '--ping': '60',
  '--lever': 'all',
  '--from': '2026-11-01',
  '--to': '2026-11-08',
};

describe('the options of npm run cost', () => {
  test.each(
    costCommand().options.map(({ long, required, description, defaultValue }) => {
      const [, said = defaultValue] = /\(default: (.+)\)$/.exec(description) ?? [];
      const value = values[long ?? ''] ?? said;
      return [long ?? '', required ? [String(value)] : []] as const;
    }),
  )('%s can be given', (long, value) => {
    expect(() => readArgv([long, ...value])).not.toThrow();
  });

  test('read a workload with a byte-order mark', () => {
    const marked = join(directory, 'marked.json');
    writeFileSync(marked, `\ufeff${readFileSync(file, 'utf8')}`);
    expect(readArgv(['--workload', marked])).toEqual(readArgv(['--workload', file]));
  });

  test('switches change a workload only if they are given', () => {
    const { workload } = readArgv(['--lean', '--no-pongs', '--no-tls', '--no-access-logs', '--any']);
    expect(workload).toMatchObject({ any: true, lean: true, pongs: false, tls: false, accessLogs: false });
    expect(readArgv([]).workload).toMatchObject({ any: false, lean: false, pongs: true, tls: true, accessLogs: true });
    expect(readArgv(['--workload', file]).workload).toMatchObject({
      lean: true,
      pongs: false,
    });
  });
});
