import type { Command } from 'commander';
import { rolloutText } from '../../shared/describe/documentFacts.ts';
import { servedText } from '../../shared/describe/servedText.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { formatShares, nameOfVariation } from '../../shared/flags/shares.ts';
import { readFlagUsage, startOfPeriod } from '../../shared/store/usage/flagUsage.ts';
import type { CommandMaker } from '../command.ts';
import { findFlag, readSegmentNames } from '../editDocuments.ts';
import type { Line } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, firstOf, formatTable } from '../text.ts';
import { entryLines, shownDocument } from './historyCommands.ts';
import { conditionLines } from './ruleCommands.ts';

/** Days of the shown usage. */
const DAYS = 7;
/** Named users of a target. */
const NAMED_USERS = 5;
/** Changes that are read to find the last one of the flag. */
const READ_CHANGES = 100;
/** Characters of a rollout's bar, and the characters of its variations in turn. */
const BAR = { width: 20, fills: ['█', '░', '▒', '▓'] };

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
    ...formatTable(
      ['flag', 'state', 'type', 'tags', 'name'],
      [[key, state, variationType, tags, name === key ? '' : name]],
      '',
    ),
    ...(description === '' ? [] : [description]),
    `serves: ${servedText(flag)}`,
    ...(state === 'on' ? [] : [`while it is ${flag.isArchived ? 'restored and on' : 'on'}:`]),
    ...targets,
    ...(rows.length > 0 ? ['rules, in order:', ...formatTable(['rule', 'name', 'if', 'serves'], rows, '')] : []),
    `default rule: ${rolloutBar(fallthrough.variations)} ${rolloutText(flag, fallthrough)}`,
  ];
  // Without the rights to read them, a flag is shown without usage and history.
  const [usage, change] = await Promise.all([
    usageLines(session, key).catch(() => []),
    lastChange(session, key).catch(() => []),
  ]);
  return [...facts, ...usage, ...change];
}

/** The shares of a rollout as a bar. */
function rolloutBar(variations: Flag['fallthrough']['variations']): string {
  return variations
    .map(({ rollout: [from, to] }, n) => {
      const [start, end] = [from, to].map((share) => Math.round(share * BAR.width)) as [number, number];
      return (BAR.fills[n % BAR.fills.length] ?? '').repeat(Math.max(1, end - start));
    })
    .join('');
}

async function usageLines(session: Session, key: string): Promise<string[]> {
  const usage = await session.usage();
  if (!usage) return [];
  const { id } = await session.environment();
  const { total, lastSeen } = await readFlagUsage(usage, id, key, startOfPeriod(session.store.effects.now(), DAYS));
  const last = lastSeen === undefined ? '' : `, the last in the hour ${lastSeen} UTC`;
  return [`usage: ${counted(total, 'evaluation')} in ${DAYS} days${last}`];
}

async function lastChange(session: Session, key: string): Promise<string[]> {
  const { id } = await session.environment();
  let read = 0;
  for await (const { documents, ...entry } of session.store.history.changes(id)) {
    const own = documents.filter((document) => document.kind === 'flag' && document.id === key);
    if (own.length > 0) {
      const lines = entryLines({ ...entry, documents: own.map(shownDocument) }, await readSegmentNames(session));
      return ['last change:', ...lines.map((line) => `  ${line}`)];
    }
    if (++read >= READ_CHANGES) break;
  }
  return [];
}
