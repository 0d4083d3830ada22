import type { Command } from 'commander';
import { withRollout } from '../../shared/flags/flagEdits.ts';
import { changedRule, findRule, insertRule, nameForRule, replaceRule } from '../../shared/flags/ruleEdits.ts';
import { formatShares } from '../../shared/flags/shares.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActive, findFlag, segmentIds } from '../editFlag.ts';
import { addPlaceCommands, conditionLines, readConditions } from '../editRules.ts';
import { readSegmentNames } from '../editSegment.ts';
import { UsageError } from '../io.ts';
import {
  ifOption,
  nameOption,
  positionOption,
  type RolloutOptions,
  type RuleOptions,
  rolloutOptions,
} from '../ruleOptions.ts';
import type { Session } from '../session.ts';
import { formatTable } from '../table.ts';

const EMPTY_ROLLOUT = { dispatchKey: null, includedInExpt: false, variations: [] };

/** `rule list|add|edit|move|remove`: a flag's rules, evaluated in order until one matches. */
export function addRuleCommands(program: Command, commands: CommandMaker): void {
  const rule = program.command('rule').description('rules of a flag, evaluated in order. The first match wins');

  commands.add(rule, 'list <flag>', 'list the rules of a flag', listRules);

  commands.edit<RuleOptions & RolloutOptions>(
    rule,
    'add <flag> <shares...>',
    'serve a variation or a percentage rollout to users who match all conditions: rule add my-flag true --if plan=pro',
    addRule,
    [ifOption(), nameOption(), positionOption(), ...rolloutOptions()],
  );

  commands.edit<RuleOptions & RolloutOptions>(
    rule,
    'edit <flag> <rule> [shares...]',
    'replace the conditions or the shares of a rule. Parts that you omit do not change',
    editRule,
    [ifOption(), nameOption(), ...rolloutOptions()],
  );

  addPlaceCommands(rule, commands, {
    kind: 'flag',
    shown: (key) => key,
    edit: (session, key, change) => editActive(session, key, (flag) => ({ ...flag, rules: change(flag.rules) })),
  });
}

async function listRules(session: Session, [key = '']: readonly string[]): Promise<void> {
  const flag = await findFlag(session, key);
  const segmentName = await readSegmentNames(session);
  const rows = flag.rules.map((rule, index) => [
    String(index + 1),
    rule.name,
    conditionLines(rule.conditions, segmentName),
    formatShares(flag, rule),
  ]);
  session.result(flag.rules, formatTable(['position', 'name', 'if', 'serves'], rows, `flag "${key}" has no rules`));
}

async function addRule(
  session: Session,
  [key = '', ...shares]: readonly string[],
  { if: texts, name: wanted, position, by, experiment }: RuleOptions & RolloutOptions,
): Promise<void> {
  if (texts.length === 0) {
    throw new UsageError('a rule needs a condition, such as --if plan=pro; for users who match no rule, use rollout');
  }
  const conditions = readConditions(session, texts, await segmentIdsFor(session, texts));
  let name = '';
  const written = await editActive(session, key, (flag) => {
    name = nameForRule(flag.rules, wanted);
    const rule = { id: session.store.effects.uuid(), name, ...EMPTY_ROLLOUT, conditions };
    return withRollout({ ...flag, rules: insertRule(flag.rules, rule, position) }, { shares, by, experiment }, rule);
  });
  const rule = `rule "${name}" to ${key}`;
  reportChanges(session, written, `added ${rule}: serves ${shares.join(' ')} if ${texts.join(' and ')}`);
}

async function editRule(
  session: Session,
  [key = '', named = '', ...shares]: readonly string[],
  { if: texts, name, by, experiment }: RuleOptions & RolloutOptions,
): Promise<void> {
  const conditions = readConditions(session, texts, await segmentIdsFor(session, texts));
  const written = await editActive(session, key, (flag) => {
    const rule = findRule(flag.rules, named, `flag "${key}"`);
    const changed = changedRule(flag.rules, rule, name, conditions);
    const rules = replaceRule(flag.rules, rule, changed);
    return withRollout({ ...flag, rules }, { shares, by, experiment }, changed);
  });
  const rule = `rule "${named}" of ${key}`;
  reportChanges(session, written, `changed ${rule}`, `${rule} is already like this`);
}

/** Segments are read only if there may be a condition on one. */
async function segmentIdsFor(session: Session, texts: readonly string[]) {
  return texts.length === 0 ? undefined : await segmentIds(session);
}
