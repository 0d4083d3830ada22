import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LEVERS } from '../model/report/levers.ts';
import { runCost } from './runCost.ts';

let directory: string;
const before = process.cwd();
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-cost-'));
  process.chdir(directory);
});
afterAll(() => {
  process.chdir(before);
  rmSync(directory, { recursive: true });
});

/** Runs a command line in this process: to start one for each takes longer than all of them. */
const cost = async (...argv: readonly string[]) => {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await runCost(argv, { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { stdout: out.join('\n'), stderr: err.join('\n'), status };
};
const json = async (...argv: readonly string[]) => JSON.parse((await cost(...argv, '--json')).stdout);

describe('npm run cost', () => {
  test('prints what to choose first, with the command, then every option, what dominates and where the lines cross', async () => {
    const { stdout, status } = await cost('--preset', 'small-business', '--all');
    expect(status).toBe(0);
    const [headline, command] = stdout.split('\n');
    expect(headline).toMatch(/^A small business: Fargate — \$\d+\/month \(\$[\d.]+ – \$[\d.]+\)$/);
    expect(command).toMatch(/^ {2}npm run deploy -- prod --set /);
    for (const said of [
      'ready to deploy',
      'serverless',
      'after a trial',
      'front door needs a trial first: it assumes that CloudFront fails over for WebSocket handshakes',
      'pings and pongs',
      'mostly pings',
      'one t2.micro ($30.16), because serverless costs more',
    ])
      expect(stdout).toContain(said);
  });

  test.each([80, 100, 110])('fits a terminal of %s columns, except for words of commands', async (columns) => {
    const { isTTY, columns: before } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, columns });
    try {
      const { stdout } = await cost('--preset', 'small-business', '--all');
      const lines = stripVTControlCharacters(stdout).split('\n');
      expect(lines.filter((line) => line.length > columns && !/^ +--\S+ \S+ \\$/.test(line))).toEqual([]);
      expect(lines.slice(1, 3)).toEqual([
        expect.stringMatching(/^ {2}npm run deploy -- prod .* \\$/),
        expect.stringMatching(/^ {4}--set /),
      ]);
    } finally {
      Object.assign(process.stdout, { isTTY, columns: before });
    }
  });

  test('prints one line for each option without --all', async () => {
    const { stdout } = await cost('--preset', 'small-business');
    const [, table = '', hint] = stdout.split('\n\n').slice(-3);
    expect(table.split('\n')).toHaveLength(5);
    expect(table).toMatch(/^serverless {2,}\$[\d.]+ {2,}\$/m);
    expect(hint).toMatch(/^`--all` prints/);
  });

  test('takes a preset and options, the later over the earlier', async () => {
    const { workload } = await json(
      '--preset',
      'small-business',
      '--connections',
      '90',
      '--ping',
      '60',
      '--no-tls',
      '--curve',
      'office',
    );
    expect(workload).toMatchObject({
      connections: 90,
      tls: false,
      sdks: expect.arrayContaining([expect.objectContaining({ pingSeconds: 60 })]),
    });
    expect(workload.curve).toHaveLength(24);
    expect((await json('--preset', 'saas', '--region', 'eu-west-1')).workload).toMatchObject({
      connections: 80_000,
      region: 'eu-west-1',
    });
  });

  test('scales new connections with those held, as the chart does, unless they are said too', async () => {
    const held = async (...argv: readonly string[]) =>
      (await json('--preset', 'small-business', ...argv)).workload.newPerHour;
    expect(await held()).toBe(4_000);
    expect(await held('--connections', '300')).toBeCloseTo(400, 9);
    expect(await held('--connections', '300', '--new-per-hour', '7')).toBe(7);
  });

  test('takes numbers with thousands separators, and 24 shares with commas', async () => {
    const { workload } = await json(
      '--connections',
      '1,234,500',
      '--flag-bytes',
      '2,000.5',
      '--curve',
      `${'0.5,'.repeat(23)}1`,
    );
    expect(workload).toMatchObject({ connections: 1_234_500, flagBytes: 2_000.5 });
    expect(workload.curve[23]).toBe(1);
  });

  test('says the same as JSON, to the last digit, with its assumptions', async () => {
    const report = await json('--preset', 'small-business');
    const text = (await cost('--preset', 'small-business')).stdout;
    for (const { bill, isPossible } of report.architectures)
      if (isPossible)
        expect(text).toContain(
          `$${bill.total.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
        );
    expect(report.assumptions.syncMs).toMatchObject({
      unit: 'ms',
      source: expect.stringContaining('docs/results/functions.json'),
    });
  });

  test('names the option of each saving, which saves nothing once it is set', async () => {
    const preset = ['--preset', 'small-business'];
    const { stdout } = await cost(...preset, '--all');
    const plain = await json(...preset);
    const saved = ({ levers }: typeof plain, of: string) =>
      levers.find(({ option }: typeof plain) => option === of).saved;
    for (const { option } of Object.values(LEVERS)) {
      expect(stdout).toContain(option);
      // Its clients need pongs.
      if (option === '--no-pongs') continue;
      const set = await json(...preset, ...option.split(' '));
      for (const [n, { architecture, bill, isPossible }] of plain.architectures.entries()) {
        const usd = saved(plain, option)[architecture];
        if (!isPossible || usd === null) continue;
        expect(bill.total - set.architectures[n].bill.total).toBeCloseTo(usd, 6);
        expect(saved(set, option)[architecture]).toBeCloseTo(0, 6);
      }
    }
    expect(stdout).toContain('all of these');
  });

  test('counts serverless beyond the default quotas only with higher quotas', async () => {
    const ready = async (...argv: readonly string[]) => {
      const { stdout } = await cost('--connections', '200000', ...argv);
      const row = stdout.split('\n').find((line) => /^serverless {2}/.test(line)) ?? '';
      const [, usd, , , state] = row.split(/ {2,}/);
      return [state, usd];
    };
    expect(await ready()).toEqual(['after a quota increase', '–']);
    expect(await ready('--request-quota', '20,000')).toEqual(['yes', expect.stringMatching(/^\$/)]);
    const { stdout } = await cost('--connections', '200000', '--all');
    expect(stdout).toContain('serverless needs a quota increase (docs/scale.md#quotas-for-a-million-connections): 11,');
  });

  test.each([
    [['--connections', '-5'], 'connections=-5 is not valid'],
    [['--connections', 'many'], 'connections="many"'],
    [['--region', 'mars-1'], 'us-east-1'],
    [['--preset', 'huge'], 'small-business'],
    [['--conections', '5'], 'Did you mean --connections'],
    [['--ping', '0'], '--ping 0 is not valid: it must be a number of seconds above 0'],
    [['--ping', 'often'], '--ping often'],
    [['--connections', '1,00'], 'connections="1,00" is not valid: it must be a number'],
  ])('refuses %j by name', async (argv, message) => {
    const { stderr, stdout, status } = await cost(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
  });

  test('without connections, says so first, and how to set a load', async () => {
    const first = 'Without connections (set --connections <number> or --preset <name>): serverless — $9/month';
    expect((await cost()).stdout.slice(0, first.length)).toBe(first);
    expect((await cost('--connections', '1')).stdout).toMatch(/^Your workload: /);
  });

  test('describes every option and preset', async () => {
    const { stdout } = await cost('--help');
    for (const said of ['--connections', '--poll-interval-ms', 'StormForge', 'Examples:'])
      expect(stdout).toContain(said);
  });

  test('writes a page that has everything in it', async () => {
    const { status } = await cost('--html', 'page.html', '--preset', 'saas');
    expect(status).toBe(0);
    const page = readFileSync(join(directory, 'page.html'), 'utf8');
    expect(page).toContain('"connections":80000');
    expect(page).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
  });

  test('compares no price without AWS credentials, and says so once', () => {
    const env = { PATH: process.env['PATH'], HOME: directory, AWS_EC2_METADATA_DISABLED: 'true' };
    const program = [join(import.meta.dirname, 'main.ts'), 'prices', 'refresh'];
    expect(spawnSync(process.execPath, program, { encoding: 'utf8', env })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^cost: there are no AWS credentials; set AWS_PROFILE.*\n$/),
    });
  }, 60_000);

  test('is a program that prints, and ends with the exit code', () => {
    const program = (...argv: readonly string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...argv], { encoding: 'utf8' });
    expect(program('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Examples:') });
    expect(program('--ping', '0')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('--ping 0'),
    });
  }, 60_000);
});
