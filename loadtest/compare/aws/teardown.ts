import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { readIdentity } from '../../../infra/preflight/identity.ts';
import type { Progress } from '../../runner/progress.ts';
import { CompareStage } from './compareStage.ts';

/** What is deployed and not yet removed, next to what was measured: whatever kills the command, `--teardown` finds it. */
export interface Ledger {
  readonly deployment: string;
  readonly stage: string;
  readonly region: string;
  readonly account: string;
  /** Resources that its deleted stacks kept. */
  readonly kept?: readonly string[];
}

/** What a removal needs of what is around it. */
interface TeardownDeps {
  readonly progress: Progress;
  /** How often AWS is asked whether something is done. */
  readonly pollMs: number;
}

/** Its name in the folder of a comparison. */
const LEDGER = 'aws.json';

/** Removes what a comparison deployed, and looks whether anything is left. @returns whether nothing is */
export async function teardown(out: string, deps: TeardownDeps): Promise<boolean> {
  const { progress } = deps;
  const path = join(out, LEDGER);
  const ledger = readLedger(out);
  if (!ledger) {
    progress.say(`${out} has no ${LEDGER}: nothing of it is deployed.`);
    return true;
  }
  try {
    const { account } = await readIdentity(ledger.region);
    if (account !== ledger.account)
      throw new Error(`${ledger.deployment} is in account ${ledger.account}; your credentials are of ${account}.`);
    progress.say(`removing ${ledger.deployment} from ${ledger.region}`);
    const { stacks, kept } = await openStage(ledger, deps).remove();
    const all = [...new Set([...(ledger.kept ?? []), ...kept])];
    if (all.length > 0) writeFileSync(path, `${JSON.stringify({ ...ledger, kept: all }, null, 1)}\n`);
    for (const each of [...stacks, ...all]) progress.say(`LEFT: ${each}`);
    if (stacks.length > 0) progress.say(`Try again: ${removal(out)}`);
    else if (all.length > 0) progress.say(`Delete these resources, and then ${path}.`);
    if (stacks.length + all.length > 0) return false;
  } catch (error) {
    progress.say(`${ledger.deployment} could not be removed: ${(error as Error).message}\nTry again: ${removal(out)}`);
    return false;
  }
  rmSync(path);
  rmSync(`flagwire.${ledger.stage}.json`, { force: true });
  progress.say('no stack of it is left; the CDK keeps the code that it uploaded in its bucket');
  return true;
}

/** What a folder says is deployed. */
export function readLedger(out: string): Ledger | undefined {
  const path = join(out, LEDGER);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** The command that removes what a comparison deployed. */
export function removal(out: string): string {
  return `npm run loadtest -- compare --aws --teardown --out ${out}`;
}

/** The stage of a comparison. */
export function openStage({ deployment, region }: Ledger, { progress, pollMs }: TeardownDeps): CompareStage {
  const cloudFormation = new CloudFormationClient({ region });
  return new CompareStage({ cloudFormation, deployment, say: (line) => progress.say(line), pollMs });
}

/** Notes what is about to be deployed. */
export function writeLedger(out: string, ledger: Ledger): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, LEDGER), `${JSON.stringify({ ...readLedger(out), ...ledger }, null, 1)}\n`);
}
