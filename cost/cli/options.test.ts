import { describe, expect, test } from '@jest/globals';
import { costCommand, readOptions } from './runCost.ts';

const readArgv = (argv: readonly string[]) => readOptions(costCommand().parse(argv, { from: 'user' }));

/** What options take that name no default in their description. */
const values: Readonly<Record<string, string>> = {
  '--preset': 'saas',
  '--ping': '60',
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

  test('switches change a workload only if they are given', () => {
    const { workload } = readArgv(['--lean', '--no-pongs', '--no-tls', '--no-access-logs']);
    expect(workload).toMatchObject({ lean: true, pongs: false, tls: false, accessLogs: false });
    expect(readArgv([]).workload).toMatchObject({ lean: false, pongs: true, tls: true, accessLogs: true });
  });
});
