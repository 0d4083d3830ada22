import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECIDED_SETTINGS } from '../../../infra/config/decidedSettings.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import type { Report } from '../../support/tools/python.ts';
import { cdk } from './cdk.ts';
import type { Emulator } from './emulator.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { makeReplies } from './replies.ts';
import { type EmulatorTemplate, forEmulator } from './transform.ts';

/** The parts of an assembly's manifest that are used. */
interface Manifest {
  readonly artifacts: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

/** The stacks, deployed by the stock CDK command into an emulator. */
export class Deployment {
  readonly emulator: Emulator;
  /** Outputs of all stacks, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The templates as deployed, by stack name. */
  readonly stacks: Readonly<Record<string, EmulatorTemplate>>;
  /** The inventory of the bootstrapped account before the deployment. */
  readonly before: Inventory;

  private constructor(emulator: Emulator, stacks: Record<string, EmulatorTemplate>, before: Inventory) {
    this.emulator = emulator;
    this.stacks = stacks;
    this.before = before;
    const byStack: Record<string, Record<string, string>> = JSON.parse(readFileSync(outputsPath(emulator), 'utf8'));
    this.outputs = Object.assign({}, ...Object.values(byStack));
  }

  /**
   * Synthesizes, transforms what was synthesized, bootstraps, deploys, and makes what the template had to lose.
   *
   * @param app another app: its folder and its command
   */
  static async create(
    emulator: Emulator,
    report: Report,
    app?: { readonly folder: string; readonly command: string },
  ): Promise<Deployment> {
    const assembly = assemblyPath(emulator);
    report('cdk synth');
    const { environment, directory, logFile } = emulator;
    const options = app ? ['--app', app.command] : [];
    const folder = app?.folder ?? repositoryRoot;
    await cdk({ environment, directory, logFile, folder }, 'synth', '--quiet', '--output', assembly, ...options);
    const stacks = transformAssembly(assembly);

    report('cdk bootstrap');
    await cdk(emulator, 'bootstrap', emulator.accountAndRegion);
    const before = await takeInventory(emulator);

    report('cdk deploy --all');
    await deployAll(emulator);
    for (const [stackName, stack] of Object.entries(stacks)) await makeReplies(emulator, stackName, stack);
    return new Deployment(emulator, stacks, before);
  }

  /** Deploys once more, with settings in place of defaults. @returns the same deployment, with its outputs then */
  async redeploy(settings: Readonly<Record<string, unknown>>): Promise<Deployment> {
    const { emulator, before } = this;
    const assembly = assemblyPath(emulator);
    const { directory, logFile } = emulator;
    const environment = { ...emulator.environment, [DECIDED_SETTINGS]: JSON.stringify(settings) };
    await cdk({ environment, directory, logFile }, 'synth', '--quiet', '--output', assembly);
    const stacks = transformAssembly(assembly);
    await deployAll(emulator);
    return new Deployment(emulator, stacks, before);
  }

  /** `cdk destroy --all`. @returns what the account then holds */
  async destroy(): Promise<Inventory> {
    await cdk(this.emulator, 'destroy', '--all', '--app', assemblyPath(this.emulator), '--force');
    return takeInventory(this.emulator);
  }
}

function deployAll(emulator: Emulator): Promise<void> {
  const options = [
    '--app',
    assemblyPath(emulator),
    '--require-approval',
    'never',
    '--outputs-file',
    outputsPath(emulator),
  ];
  return cdk(emulator, 'deploy', '--all', ...options);
}

function assemblyPath(emulator: Emulator): string {
  return join(emulator.directory, 'cdk.out');
}

function outputsPath(emulator: Emulator): string {
  return join(emulator.directory, 'outputs.json');
}

/**
 * Transforms every template of a cloud assembly (`cdk.out`) where it lies. The CDK's command takes templates as they are.
 *
 * @returns what became of each, by stack
 */
function transformAssembly(assembly: string): Record<string, EmulatorTemplate> {
  const { artifacts }: Manifest = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'));
  const stacks = Object.entries(artifacts).flatMap(([stackName, { type, properties }]) => {
    if (type !== 'aws:cloudformation:stack' || properties?.templateFile === undefined) return [];
    const file = join(assembly, properties.templateFile);
    const transformed = forEmulator(JSON.parse(readFileSync(file, 'utf8')) as Template);
    writeFileSync(file, JSON.stringify(transformed.template, null, 1));
    return [[stackName, transformed] as const];
  });
  return Object.fromEntries(stacks);
}

/** The flags CLI as an operator runs it, on a deployment's table. @returns what it writes with `--json` */
export async function flagsCli({ emulator, outputs }: Deployment, ...args: string[]): Promise<unknown> {
  const cli = new RunningProcess(ofRepository('cli/main.ts', [...args, '--json']), {
    environment: { ...emulator.environment, FLAGS_TABLE: outputs['FlagsTableName'] },
    stderr: 'inherit',
  });
  const code = await cli.ended;
  if (code !== 0) throw new Error(`npm run flags -- ${args.join(' ')} ended with ${code}: ${cli.output}`);
  return JSON.parse(cli.output);
}
