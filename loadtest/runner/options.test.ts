import { describe, expect, jest, test } from '@jest/globals';
import { createProgram, type Options, resolveLoad } from './options.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** What the command line is understood as. */
async function read(...args: string[]): Promise<{ name: string; options: Options; scenario: Scenario }> {
  let said: { name: string; options: Options; scenario: Scenario } | undefined;
  const program = createProgram(async (name, scenario, options) => {
    said = { name, scenario, options };
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  await program.parseAsync(args, { from: 'user' });
  if (!said) throw new Error('no command was run');
  return said;
}

describe('the command line', () => {
  test('has the reference’s figures by default', async () => {
    const { scenario, options } = await read('reference');
    expect(options.target).toBe('host');
    expect(resolveLoad(scenario, options, 1_000)).toMatchObject({ rate: 1_000, rampS: 20, durationS: 180, pingS: 18 });
  });

  test('prefers options over --quick, and --quick over the defaults', async () => {
    const { scenario, options } = await read('reference', '--quick', '--ping', '5', '--rates', '50,60.5');
    expect(options.rates).toEqual([50, 60.5]);
    expect(resolveLoad(scenario, options, 50)).toMatchObject({ durationS: 45, pingS: 5, rampS: 20 });
    expect(resolveLoad(scenario, (await read('reference', '--quick', '--duration', '30')).options, 50).durationS).toBe(
      30,
    );
  });

  test('takes thresholds several times', async () => {
    const { options } = await read('push', '--ensure', 'push.p99:250', '--ensure', 'errors.count:0');
    expect(options.ensure).toEqual([{ 'push.p99': 250 }, { 'errors.count': 0 }]);
  });

  test.each([
    [['reference', '--rates', 'fast'], 'must be a number over 0'],
    [['reference', '--runs', '0'], 'must be a whole number, 1 or more'],
    [['heartbeat', '--message', 'shout'], 'must be ping or echo'],
    [['reference', '--ensure', 'p99'], 'must look like sync.p99:200'],
    [['reference', '--flips', '3'], "unknown option '--flips'"],
    [['refrence'], "unknown command 'refrence'"],
  ])('refuses %j', async (args, why) => {
    await expect(read(...args)).rejects.toThrow(why);
  });

  test('takes keys from the environment, and keeps them out of the help', async () => {
    process.env['FLAGWIRE_CLIENT_KEY'] = 'a secret';
    try {
      expect((await read('reference')).options.clientKey).toBe('a secret');
      const text = createProgram(async () => {}).commands.map((command) => command.helpInformation());
      expect(text.join()).not.toContain('a secret');
    } finally {
      delete process.env['FLAGWIRE_CLIENT_KEY'];
    }
  });

  test('has help for every scenario', () => {
    const write = jest.fn();
    const program = createProgram(async () => {});
    program.configureOutput({ writeOut: write }).outputHelp();
    const text = write.mock.calls.join('');
    for (const name of Object.keys(SCENARIOS)) expect(text).toContain(`  ${name} `);
    expect(text).toContain('Exit code: 0');
  });
});
