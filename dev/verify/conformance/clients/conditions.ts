import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { replyTo } from '../../../../shared/delivery/reply.ts';
import type { SdkName } from '../../../../shared/describe/sdks/sdkConditions.ts';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { aFlag, aRollout, aRule, aUser, share } from '../../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../../shared/testing/evaluate.ts';
import { sdkConditions } from '../../../../shared/testing/fixtures.ts';
import { NodeSdk } from '../../../../shared/testing/nodeSdk.ts';
import { goProgramWith } from '../../../support/tools/go.ts';
import { rustProgram } from '../../../support/tools/rust.ts';
import { pythonScript } from './pythonProcess.ts';

/** For each text, and for each condition on it: 1 if it matches, 0 if not, ! if the SDK gives no value. */
type Answers = readonly string[];

const report = (line: string) => process.stderr.write(`conformance: ${line}\n`);

/** FeatBit's server-side SDKs that run offline, as programs. Undefined for one that no registry has and no variable names. */
export const PROGRAMS = {
  Python: () => pythonScript('sdk-1.2.1.txt', 'conditions.py'),
  Rust: async () => [await rustProgram(join(import.meta.dirname, 'rust'), report)],
  /** `FEATBIT_GO_SDK` is a clone of github.com/featbit/featbit-go-sdk. */
  Go: async () => {
    const { FEATBIT_GO_SDK: clone } = process.env;
    return clone === undefined ? undefined : [await goProgramWith(join(import.meta.dirname, 'goSdk'), clone)];
  },
  /** `FEATBIT_JAVA_SDK` is a class path with the SDK and all that it needs. */
  Java: async () => {
    const { FEATBIT_JAVA_SDK: classPath } = process.env;
    const source = join(import.meta.dirname, 'java/Conditions.java');
    return classPath === undefined ? undefined : ['java', '-cp', classPath, source];
  },
} satisfies Record<string, () => Promise<string[] | undefined>>;

const { texts, conditions: measured } = sdkConditions();
const conditions = measured.map(({ op, value }): Condition => ({ property: 'v', op, value }));

/** The answers in the file of {@link sdkConditions}. */
export function measuredAnswers(sdk: 'Flagwire' | SdkName): Answers {
  return texts.map((_, n) => measured.map((condition) => (condition[sdk] ?? condition.Flagwire)[n]).join(''));
}

/** The answers of this service. */
export function ownAnswers(): Answers {
  const { flags } = environment;
  return texts.map((text) => flags.map((flag) => answer(flag.evaluate(userWith(text)).value)).join(''));
}

/** The answers of FeatBit's Node SDK. */
export async function nodeAnswers(): Promise<Answers> {
  const sdk = new NodeSdk(message);
  const all = [];
  for (const text of texts) {
    let line = '';
    for (const n of conditions.keys()) line += answer((await sdk.evaluate(`c${n}`, userWith(text)))?.value);
    all.push(line);
  }
  return all;
}

/** The answers of an SDK's program. @throws {Error} if it fails */
export async function answersOf([program = '', ...args]: readonly string[]): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-conditions-'));
  try {
    const path = join(folder, 'message.json');
    writeFileSync(path, message);
    const child = spawn(program, [...args, path, String(conditions.length)], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end(texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
    const lines = (await textOf(child.stdout)).split('\n').filter((line) => /^[01!]+$/.test(line));
    if (lines.length !== texts.length) throw new Error(`${program} gave ${lines.length} of ${texts.length} answers`);
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const answer = (value: string | null | undefined) => ({ true: '1', false: '0' })[value ?? ''] ?? '!';

const userWith = (text: string | null) => aUser('u1', text === null ? {} : { v: text }, 'u1');

const environment = compileEnvironment(
  conditions.map((condition, n) => {
    const rules = [aRule([condition], aRollout(share('on')))];
    return aFlag({ key: `c${n}`, rules, fallthrough: aRollout(share('off')) });
  }),
);
const message = replyTo(environment, 'server', { timestamp: 0 }).text();
