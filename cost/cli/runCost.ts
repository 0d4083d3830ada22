import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { commandName, fitTerminal } from '../../shared/command/npmCommand.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import { reportOn } from '../model/report/report.ts';
import { PRESETS, type PresetName } from '../model/workload/presets.ts';
import { parseWorkload, WorkloadError, type WorkloadInput, workloadFields } from '../model/workload/workload.ts';
import { renderSummary, renderText } from './text.ts';

/** Fields of a workload that a switch sets, and to what. */
const SWITCHES = { tls: false, accessLogs: false, pongs: false, lean: true };

/** Fields that an option of the same name sets to its value. */
const SETTABLE = Object.entries(workloadFields).filter(([name]) => name !== 'sdks' && !(name in SWITCHES));

/** What is computed without a number of connections. */
const NO_CONNECTIONS = 'Without connections (set --connections <number> or --preset <name>)';

/** The command with its options, without an action. */
export function costCommand(): Command {
  const command = new Command(commandName('cost'))
    .description(
      'Computes what a workload costs a month on serverless, a front door, one t2.micro, and Fargate. Prints the recommended option, and the command that deploys it.',
    )
    .addOption(new Option('--preset <name>', 'workload to start from').choices(Object.keys(PRESETS)))
    .option('--all', 'print the parts, savings and commands of each option too')
    .option('--json', 'print everything as JSON')
    .option('--html [file]', 'write a page with fields and charts (default: flagwire-cost.html)')
    .option('--ping <seconds>', 'ping interval of every SDK')
    .option('--no-access-logs', 'API Gateway does not log each message, as in stage dev')
    .option('--no-pongs', 'API Gateway does not answer pings, as with the setting pongs=false')
    .option('--lean', 'the deployment has only free alarms and dashboards, as in stage dev')
    .option('--no-tls', 'hosts have no TLS, as with the setting allowInsecure=true');
  const defaults: Readonly<Record<string, unknown>> = { ...parseWorkload({}), curve: 'flat' };
  for (const [name, meaning] of SETTABLE) {
    const value = defaults[name];
    // Never rounded up, which could be more than is allowed.
    const said = typeof value === 'number' ? Math.floor(value * 100) / 100 : value;
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.option(`--${option} <value>`, `${meaning} (default: ${said})`);
  }
  const presets = Object.entries(PRESETS).map(([name, { title, about }]) => `  ${name.padEnd(15)} ${title}: ${about}`);
  const examples = [
    '--preset small-business',
    '--connections 500 --ping 10 --html',
    '--preset saas --ping 60 --no-access-logs',
  ].map((example) => `  ${ownCommand('cost', example)}`);
  return command.addHelpText('after', `\nPresets:\n${presets.join('\n')}\n\nExamples:\n${examples.join('\n')}`);
}

/**
 * Reads the options of a command line that was parsed: a preset, changed by the other options. `all` is true to print parts, savings and
 * commands of each option too. `html` is the page's file.
 *
 * @throws {WorkloadError} naming the field or option that cannot be used
 */
export function readOptions(command: Command) {
  const given = command.opts<Record<string, string | boolean | undefined>>();
  const preset = given['preset'] as PresetName | undefined;
  const isBlank = given['html'] !== undefined && given['connections'] === undefined;
  // A page needs a workload to show.
  const begin = preset ?? (isBlank ? 'small-business' : undefined);
  const base: WorkloadInput = begin ? PRESETS[begin].workload : {};
  const changes = SETTABLE.flatMap(([name]) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, readValue(name, value)] as const] : [];
  });
  const input: WorkloadInput = {
    ...base,
    ...scaledStarts(base, Object.fromEntries(changes)),
    ...Object.fromEntries(Object.entries(SWITCHES).filter(([name, set]) => given[name] === set)),
  };
  const html = given['html'];
  return {
    json: given['json'] === true,
    workload: parseWorkload(withPing(input, given['ping'] as string | undefined)),
    title: preset ? PRESETS[preset].title : input.connections ? 'Your workload' : NO_CONNECTIONS,
    all: given['all'] === true,
    html: html === undefined ? undefined : userPath(html === true ? 'flagwire-cost.html' : String(html)),
  };
}

function withPing(input: WorkloadInput, ping: string | undefined): WorkloadInput {
  if (ping === undefined) return input;
  if (!(Number(ping) > 0))
    throw new WorkloadError(`--ping ${ping} is not valid: it must be a number of seconds above 0`);
  const sdks = input.sdks ?? parseWorkload({}).sdks;
  return { ...input, sdks: sdks.map((sdk) => ({ ...sdk, pingSeconds: Number(ping) })) };
}

/** The changes, with new connections in proportion to those held unless they are given too: the chart does the same. */
function scaledStarts(base: WorkloadInput, changes: WorkloadInput): WorkloadInput {
  const { connections } = changes;
  if (!base.connections || !base.newPerHour || typeof connections !== 'number' || changes.newPerHour !== undefined)
    return changes;
  return { ...changes, newPerHour: (base.newPerHour * connections) / base.connections };
}

/** Numbers with commas between thousands or without, a curve of 24 shares as a list, and all else as text. */
function readValue(name: string, text: string): unknown {
  if (name === 'curve' && text.includes(',')) return text.split(',').map(Number);
  const number = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return number.trim() === '' || Number.isNaN(Number(number)) ? text : Number(number);
}

/** Where a command line writes, a line or more at once. */
interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command line of `npm run cost`. @param argv its arguments @returns its exit code: 0 done, 1 failed, 2 invalid arguments */
export async function runCost(argv: readonly string[], output: Output): Promise<number> {
  const command = costCommand()
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(fitTerminal(text).trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    });
  command.action(() => showCost(readOptions(command), output));
  command
    .command('prices')
    .description('commands for the price sheets in cost/prices')
    .command('refresh')
    .description('compare every price with the AWS Price List; needs AWS credentials (pricing:GetProducts)')
    .option('--write', 'write the prices found to the sheets; by default nothing is written')
    .action(async (options) => (await import('../refresh/refreshPrices.ts')).refreshPrices(options));
  try {
    await command.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already written the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WorkloadError)) throw error;
    output.err(`cost: ${error.message}`);
    return 2;
  }
}

async function showCost(
  { workload, title, html, json, all: isWhole }: ReturnType<typeof readOptions>,
  { out, err }: Output,
): Promise<void> {
  const all = rangesFrom(readMeasured());
  if (html !== undefined) {
    const { renderCostPage } = await import('../page/renderPage.ts');
    const path = resolve(html);
    writeFileSync(path, renderCostPage({ ranges: all, workload }));
    return err(`wrote ${path}: open it in a browser; it needs no network`);
  }
  const report = reportOn(workload, rangesOf(all));
  const render = isWhole ? renderText : renderSummary;
  out(json ? JSON.stringify({ title, ...report, assumptions: all }, null, 2) : render(report, title));
}
