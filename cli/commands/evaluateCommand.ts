import { type Command, Option } from 'commander';
import { type Explanation, explainFlag } from '../../shared/describe/explain.ts';
import { explanationLines } from '../../shared/describe/explanationText.ts';
import { sdkDifferenceLines } from '../../shared/describe/sdks/sdkDifferences.ts';
import { formatInvalidCondition } from '../../shared/evaluation/invalidCondition.ts';
import { byKind } from '../../shared/flags/document.ts';
import { keepsDigits, parseExactJson } from '../../shared/flags/exactJson.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { isNestedDeeper, MAX_NESTING } from '../../shared/flags/nesting.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { User } from '../../shared/flags/user.ts';
import { valueJson } from '../../shared/flags/variationValue.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import { noFlag } from '../editDocuments.ts';
import { UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { firstOf, formatTable } from '../text.ts';
import { readTime } from './historyCommands.ts';

interface EvaluateOptions {
  readonly user: string;
  readonly name?: string;
  readonly attr: readonly string[];
  readonly at?: string;
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
      new Option('--at <time>', 'evaluate as at this time, if the history contains it: 2030-01-31T12:00:00Z'),
    ],
  );
}

async function evaluate(
  session: Session,
  [key]: readonly string[],
  { user: keyId, name, attr, at }: EvaluateOptions,
): Promise<void> {
  const user: User = { keyId, name: name ?? null, attributes: new Map(attr.map(readAttribute)) };
  const { documents, past } = await readState(session, at);
  // If a flag was archived while its segment was deleted, it still refers to the segment after its restore.
  const { flags, segments } = byKind(documents);
  const explain = (flag: Flag) => {
    const explanation = explainFlag(flag, user, segments);
    const typed = typedValue(flag, explanation.result.value);
    for (const invalid of explanation.invalidConditions) session.note(`warning: ${formatInvalidCondition(invalid)}`);
    const differences = sdkDifferenceLines(explanation);
    return { explanation, differences, typed, lines: explanationLines(flag, keyId, explanation) };
  };
  const json = ({ explanation, differences, typed }: ReturnType<typeof explain>) => ({
    ...shown(keyId, explanation),
    value: typed,
    ...past,
    ...(differences.length > 0 ? { sdkDifferences: differences } : {}),
  });
  if (past)
    session.note(
      `state at ${past.at}${past.version ? `, changed ${session.time(Date.parse(past.version))}` : ': before the first change'}`,
    );
  if (key !== undefined) {
    const flag = flags.find((candidate) => candidate.key === key);
    if (!flag || flag.isDeleted) {
      if (!past) throw noFlag(key, flag, flags);
      throw new NotFound(`there was no flag "${key}" at ${past.at}; \`history ${key}\` shows its changes`);
    }
    const found = explain(flag);
    const { value, reason } = found.explanation.result;
    for (const line of found.differences) session.note(`note: server-side SDKs differ in ${line}`);
    session.result(json(found), [`${value} (${reason})`, ...found.lines.map((line) => `  ${line}`)]);
    return;
  }
  const all = flags.filter(({ isArchived, isDeleted }) => !isArchived && !isDeleted).map(explain);
  const differing = all.filter(({ differences }) => differences.length > 0).map(({ explanation }) => explanation.key);
  if (differing.length > 0)
    session.note(`note: server-side SDKs differ in ${firstOf(differing, 3)}; evaluate one flag to see how`);
  const rows = all.map(({ explanation, lines }) => [
    explanation.key,
    explanation.result.value ?? '',
    lines.at(-1) ?? '',
  ]);
  session.result(
    all.map(json),
    formatTable(['key', 'value', 'because'], rows, past ? 'there were no flags' : 'there are no flags'),
  );
}

/** The documents to evaluate, and in the past their time and version. @throws {NotFound} if the history does not contain the time */
async function readState(session: Session, at: string | undefined) {
  const time = at === undefined ? undefined : readTime(at);
  const { id } = await session.environment();
  const { documents, history } = session.store;
  if (time === undefined) return { documents: (await documents.load(id)).map(requireDocument) };
  const state = await history.stateAt(id, time);
  const past = { at: formatTimestamp(time), version: state.version === 0 ? null : formatTimestamp(state.version) };
  return { documents: state.documents.map(requireDocument), past };
}

function shown(keyId: string, { key, result, rules, bucketing }: Explanation) {
  return { key, keyId, ...result, rules, ...(bucketing ? { bucketing } : {}) };
}

/** A value as its flag's type. It stays text if it is not of that type, or if digits of its numbers would be lost. */
function typedValue({ variationType }: Flag, value: string | null): unknown {
  if (variationType === 'string' || value === null || isNestedDeeper(value, MAX_NESTING)) return value;
  const json = valueJson(variationType, value);
  return json !== undefined && keepsDigits(json) ? parseExactJson(json) : value;
}

function readAttribute(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is not an attribute; write name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
