import type { Command } from 'commander';
import { formatCondition } from '../../shared/describe/conditionText.ts';
import { rolloutText } from '../../shared/describe/documentFacts.ts';
import { servedText } from '../../shared/describe/servedText.ts';
import { flagsReferringTo } from '../../shared/evaluation/references.ts';
import type { Document } from '../../shared/flags/document.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import type { Condition } from '../../shared/flags/rule.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { formatShares, nameOfVariation } from '../../shared/flags/shares.ts';
import { readFlagUsage, startOfPeriod } from '../../shared/store/usage/flagUsage.ts';
import type { CommandMaker } from '../command.ts';
import { findFlag, readSegmentNames } from '../editDocuments.ts';
import type { Line } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, firstOf, formatTable } from '../text.ts';
import { entryLines } from './historyCommands.ts';
import { seenText } from './usageCommands.ts';

/** Days of the shown usage. */
const DAYS = 7;
/** Named users of a target or a segment. */
const NAMED_USERS = 5;
/** Named flags that use a segment. */
const NAMED_FLAGS = 20;
/** Changes that are read to find the last one of the document. */
const READ_CHANGES = 100;

/** `show`: a flag for people. With `--json`, as it is stored. */
export function addShowCommand(program: Command, commands: CommandMaker): void {
  commands.add(
    program,
    'show <flag>',
    'show a flag: state, rules, rollout, usage and last change. --json writes it as it is stored',
    async (session, [key = '']) => {
      const flag = await findFlag(session, key);
      session.progress(`in ${(await session.environment()).name}`);
      session.result(flag, await describeFlag(session, flag));
    },
  );
}

async function describeFlag(session: Session, flag: Flag): Promise<Line[]> {
  const { key, name, description, variationType, tags, targetUsers, rules, fallthrough } = flag;
  const segmentName = await readSegmentNames(session);
  const state = flag.isArchived ? 'archived' : flag.isEnabled ? 'on' : 'off';
  const rows = rules.map((rule, n) => [
    String(n + 1),
    rule.name,
    conditionLines(rule.conditions, segmentName),
    formatShares(flag, rule),
  ]);
  const targets = targetUsers
    .filter(({ keyIds }) => keyIds.length > 0)
    .map(
      ({ variationId, keyIds }) => `target: ${nameOfVariation(flag, variationId)} to ${firstOf(keyIds, NAMED_USERS)}`,
    );
  const facts = [
    ...tableInText(
      ['flag', 'state', 'type', 'tags', 'name'],
      [[key, state, variationType, tags, name === key ? '' : name]],
    ),
    ...(description === '' ? [] : [description]),
    `serves: ${servedText(flag)}`,
    ...(state === 'on' ? [] : [`while it is ${flag.isArchived ? 'restored and on' : 'on'}:`]),
    ...targets,
    ...(rows.length > 0 ? ['rules, in order:', ...tableInText(['rule', 'name', 'if', 'serves'], rows)] : []),
    `default rule: ${rolloutText(flag, fallthrough)}`,
  ];
  // Without the rights to read them, a flag is shown without usage and history.
  const [usage, change] = await Promise.all([
    usageLines(session, key).catch(() => []),
    lastChange(session, 'flag', key).catch(() => []),
  ]);
  return [...facts, ...usage, ...change];
}

/** A segment for people. */
export async function describeSegment(session: Session, segment: Segment): Promise<Line[]> {
  const { id, name, isArchived, description, included, excluded, rules } = segment;
  const flags = (await session.documents<Flag>('flag')).map((document): Document => ({ kind: 'flag', document }));
  const rows = rules.map((rule, n) => [String(n + 1), rule.name, conditionLines(rule.conditions)]);
  return [
    ...tableInText(['segment', 'state', 'id'], [[name, isArchived ? 'archived' : 'active', id]]),
    ...(description === '' ? [] : [description]),
    ...(included.length > 0 ? [`includes: ${firstOf(included, NAMED_USERS)}`] : []),
    ...(excluded.length > 0 ? [`excludes: ${firstOf(excluded, NAMED_USERS)}`] : []),
    ...(rows.length > 0 ? ['rules, one must match:', ...tableInText(['rule', 'name', 'if'], rows)] : []),
    `used by: ${firstOf(flagsReferringTo(id, flags), NAMED_FLAGS) || 'no flag'}`,
    ...(await lastChange(session, 'segment', id).catch(() => [])),
  ];
}

/** The conditions of a rule, one on each line. */
function conditionLines(conditions: readonly Condition[], segmentName?: (id: string) => string): string[] {
  return conditions.map((condition, at) => `${at === 0 ? '' : 'and '}${formatCondition(condition, segmentName)}`);
}

function tableInText(head: readonly string[], rows: Parameters<typeof formatTable>[1]): Line[] {
  return formatTable(head, rows, '', [], true);
}

async function usageLines(session: Session, key: string): Promise<string[]> {
  const usage = await session.usage();
  if (!usage) return [];
  const { id } = await session.environment();
  const { total, lastSeen } = await readFlagUsage(usage, id, key, startOfPeriod(session.store.effects.now(), DAYS));
  const last = lastSeen === undefined ? '' : `, ${seenText(session, lastSeen)}`;
  return [`usage: ${counted(total, 'evaluation')} in ${DAYS} days${last}`];
}

async function lastChange(session: Session, kind: Document['kind'], id: string): Promise<string[]> {
  const { id: envId } = await session.environment();
  let read = 0;
  for await (const { documents, ...entry } of session.store.history.changes(envId)) {
    const own = documents.filter((document) => document.kind === kind && document.id === id);
    if (own.length > 0) {
      const lines = entryLines(session, { ...entry, documents: own });
      return ['last change:', ...lines.map((line) => `  ${line}`)];
    }
    if (++read >= READ_CHANGES) break;
  }
  return [];
}
