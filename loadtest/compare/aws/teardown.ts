import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { readIdentity } from '../../../infra/preflight/callerIdentity.ts';
import { quoteWord } from '../../../shared/command/quoteWord.ts';
import { throughProxy } from '../../../shared/runtime/throughProxy.ts';
import type { Progress } from '../../runner/progress.ts';
import { CompareStage } from './compareStage.ts';

/** Record of a deployed stage, in the folder of the comparison. `--teardown` finds it even if the command was killed. */
export interface Ledger {
  readonly deployment: string;
  readonly stage: string;
  readonly region: string;
  readonly account: string;
  /** Resources that its deleted stacks kept. */
  readonly kept?: readonly string[];
}

/** Dependencies of a removal. */
export interface TeardownDeps {
  readonly progress: Progress;
  /** Time between polls of AWS. */
  readonly pollMs: number;
}

/** Its name in the folder of a comparison. */
const LEDGER = 'aws.json';

/** Removes the stage of a comparison, and checks that nothing is left. @returns whether nothing is left */
export async function teardown(out: string, deps: TeardownDeps): Promise<boolean> {
  const { progress } = deps;
  const path = join(out, LEDGER);
  const ledger = readLedger(out);
  if (!ledger) {
    progress.say(`${out} has no ${LEDGER}: nothing is deployed.`);
    return true;
  }
  try {
    const { account } = await readIdentity(ledger.region);
    if (account !== ledger.account)
      throw new Error(
        `${ledger.deployment} is in account ${ledger.account}, but your credentials belong to ${account}.`,
      );
    progress.say(`removing ${ledger.deployment} from ${ledger.region}`);
    const { stacks, kept } = await openStage(ledger, deps).remove();
    const all = [...new Set([...(ledger.kept ?? []), ...kept])];
    if (all.length > 0) writeFileSync(path, `${JSON.stringify({ ...ledger, kept: all }, null, 1)}\n`);
    for (const each of [...stacks, ...all]) progress.say(`LEFT: ${each}`);
    if (stacks.length > 0) progress.say(`Try again: ${removal(out)}`);
    else if (all.length > 0) progress.say(`Delete these resources, then delete ${path}.`);
    if (stacks.length + all.length > 0) return false;
  } catch (error) {
    progress.say(`Cannot remove ${ledger.deployment}: ${(error as Error).message}\nTry again: ${removal(out)}`);
    return false;
  }
  rmSync(path);
  rmSync(`flagwire.${ledger.stage}.json`, { force: true });
  progress.say('all stacks are removed; the uploaded code stays in the CDK bucket');
  return true;
}

/** The record in a folder; undefined if nothing is deployed. */
export function readLedger(out: string): Ledger | undefined {
  const path = join(out, LEDGER);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** The command that removes the stage of a comparison. */
export function removal(out: string): string {
  return `npm run loadtest -- compare --aws --teardown --out ${quoteWord(out)}`;
}

/** The stage of a comparison. */
export function openStage({ deployment, region }: Ledger, { progress, pollMs }: TeardownDeps): CompareStage {
  const cloudFormation = new CloudFormationClient({ region, requestHandler: throughProxy() });
  return new CompareStage({ cloudFormation, deployment, say: progress.say, pause: () => sleep(pollMs) });
}

/** Records a stage before it is deployed. */
export function writeLedger(out: string, ledger: Ledger): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, LEDGER), `${JSON.stringify({ ...readLedger(out), ...ledger }, null, 1)}\n`);
}
