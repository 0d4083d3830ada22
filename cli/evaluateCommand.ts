import { type Command, Option } from 'commander';
import { type Explanation, explainFlag } from '../shared/evaluation/explain.ts';
import { explanationLines } from '../shared/evaluation/explanationText.ts';
import { formatInvalidCondition } from '../shared/evaluation/snapshot.ts';
import type { Flag } from '../shared/flags/flag.ts';
import type { Segment } from '../shared/flags/segment.ts';
import type { User } from '../shared/flags/user.ts';
import { type CommandMaker, repeatable, type Session } from './command.ts';
import { findFlag } from './editFlag.ts';
import { UsageError } from './io.ts';
import { formatTable } from './table.ts';

interface EvaluateOptions {
  readonly user: string;
  readonly name?: string;
  readonly attr: readonly string[];
}

/** `evaluate`: the variation that a user gets of one flag, or of all, and why. */
export function addEvaluateCommand(program: Command, commands: CommandMaker): void {
  commands.add<EvaluateOptions>(
    program,
    'evaluate [flag]',
    'show which value a flag serves to a user, and why: target, rule, condition, segment and bucket. Without a flag, show all',
    evaluate,
    [
      new Option('--user <key>', 'user key (keyId)').makeOptionMandatory(),
      new Option('--name <name>', 'name of the user'),
      repeatable('--attr <name=value>', 'attribute of the user'),
    ],
  );
}

async function evaluate(
  session: Session,
  [key]: readonly string[],
  { user: keyId, name, attr }: EvaluateOptions,
): Promise<void> {
  const user: User = { keyId, name: name ?? null, attributes: new Map(attr.map(readAttribute)) };
  // If a flag was archived while its segment was deleted, it still refers to the segment after its restore.
  const segments = await session.documents<Segment>('segment', 'with deleted');
  const explain = (flag: Flag) => {
    const explanation = explainFlag(flag, user, segments);
    for (const invalid of explanation.invalidConditions) session.note(`warning: ${formatInvalidCondition(invalid)}`);
    return { explanation, lines: explanationLines(flag, keyId, explanation) };
  };
  if (key !== undefined) {
    const { explanation, lines } = explain(await findFlag(session, key));
    const { value, reason } = explanation.result;
    session.result(shown(keyId, explanation), [`${value} (${reason})`, ...lines.map((line) => `  ${line}`)]);
    return;
  }
  const flags = await session.documents<Flag>('flag');
  const all = flags.filter(({ isArchived }) => !isArchived).map(explain);
  const rows = all.map(({ explanation, lines }) => [
    explanation.key,
    explanation.result.value ?? '',
    lines.at(-1) ?? '',
  ]);
  session.result(
    all.map(({ explanation }) => shown(keyId, explanation)),
    formatTable(['key', 'value', 'because'], rows, 'there are no flags'),
  );
}

function shown(keyId: string, { key, result, rules, bucketing }: Explanation) {
  return { key, keyId, ...result, rules, ...(bucketing ? { bucketing } : {}) };
}

function readAttribute(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is not an attribute; write name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
