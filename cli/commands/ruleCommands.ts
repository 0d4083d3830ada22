import type { Command } from 'commander';
import { formatCondition, parseCondition } from '../../shared/evaluation/conditionText.ts';
import { withRollout } from '../../shared/flags/flagEdits.ts';
import { findRule, insertRule, nameForRule, replaceRule, withoutRule } from '../../shared/flags/ruleEdits.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { formatShares } from '../../shared/flags/shares.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActive, findFlag, segmentIds } from '../editFlag.ts';
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

  commands.edit(
    rule,
    'move <flag> <rule> <position>',
    'move a rule to another position, counted from 1',
    async (session, [key = '', named = '', position = '']) => {
      const written = await editActive(session, key, (flag) => {
        const moved = findRule(flag.rules, named, `flag "${key}"`);
        return { ...flag, rules: insertRule(withoutRule(flag.rules, moved), moved, position) };
      });
      reportChanges(session, written, `rule "${named}" of ${key} is at position ${position}`);
    },
  );

  commands.edit(rule, 'remove <flag> <rule>', 'remove a rule', async (session, [key = '', named = '']) => {
    const written = await editActive(session, key, (flag) => ({
      ...flag,
      rules: withoutRule(flag.rules, findRule(flag.rules, named, `flag "${key}"`)),
    }));
    reportChanges(session, written, `removed rule "${named}" of ${key}`);
  });
}

async function listRules(session: Session, [key = '']: readonly string[]): Promise<void> {
  const flag = await findFlag(session, key);
  const segments = new Map(
    (await session.documents<Segment>('segment', 'with deleted')).map(({ id, name }) => [id, name]),
  );
  const rows = flag.rules.map((rule, index) => [
    String(index + 1),
    rule.name,
    rule.conditions.map(
      (condition, at) => `${at === 0 ? '' : 'and '}${formatCondition(condition, (id) => segments.get(id) ?? id)}`,
    ),
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
  const conditions = await readConditions(session, texts);
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
  const conditions = await readConditions(session, texts);
  const written = await editActive(session, key, (flag) => {
    const rule = findRule(flag.rules, named, `flag "${key}"`);
    const changed = {
      ...rule,
      ...(name === undefined ? {} : { name: nameForRule(withoutRule(flag.rules, rule), name) }),
      ...(conditions.length === 0 ? {} : { conditions }),
    };
    const rules = replaceRule(flag.rules, rule, changed);
    return withRollout({ ...flag, rules }, { shares, by, experiment }, changed);
  });
  const rule = `rule "${named}" of ${key}`;
  reportChanges(session, written, `changed ${rule}`, `${rule} is already like this`);
}

async function readConditions(session: Session, texts: readonly string[]) {
  const segmentId = texts.length === 0 ? undefined : await segmentIds(session);
  return texts.map((text) => ({ id: session.store.effects.uuid(), ...parseCondition(text, segmentId) }));
}
