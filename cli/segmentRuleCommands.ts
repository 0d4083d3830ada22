import type { Command } from 'commander';
import { formatCondition, parseCondition } from '../shared/evaluation/conditionText.ts';
import { findRule, insertRule, nameForRule, replaceRule, withoutRule } from '../shared/flags/ruleEdits.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { findSegment } from '../shared/flags/segmentEdits.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActiveSegment } from './editSegment.ts';
import { CliError } from './io.ts';
import { ifOption, nameOption, placeOption, type RuleOptions } from './ruleOptions.ts';
import { formatTable } from './table.ts';

/** `segment rule list|add|edit|move|remove`: users for whom a rule's conditions all hold belong to the segment. */
export function addSegmentRuleCommands(segment: Command, commands: CommandMaker): void {
  const rule = segment.command('rule').description('rules that add users to a segment');

  commands.add(rule, 'list <segment>', 'list the rules of a segment', async (session, [named = '']) => {
    const { rules } = findSegment(await session.documents<Segment>('segment'), named);
    const rows = rules.map(({ name, conditions }, index) => [
      String(index + 1),
      name,
      conditions.map((condition, at) => `${at === 0 ? '' : 'and '}${formatCondition(condition)}`),
    ]);
    session.result(rules, formatTable(['place', 'name', 'if'], rows, `segment "${named}" has no rules`));
  });

  commands.add<RuleOptions>(
    rule,
    'add <segment>',
    'let users for whom all conditions hold belong to a segment',
    async (session, [named = ''], { if: texts, name: wanted, at }) => {
      if (texts.length === 0) throw new CliError('a rule needs a condition, such as --if plan=pro');
      const { uuid } = session.store.effects;
      const conditions = texts.map((text) => ({ id: uuid(), ...parseCondition(text) }));
      const written = await editActiveSegment(session, named, (current) => {
        const added = { id: uuid(), name: nameForRule(current.rules, wanted), conditions };
        return { ...current, rules: insertRule(current.rules, added, at) };
      });
      reportChanges(session, written, `users belong to ${named} if ${texts.join(' and ')}`);
    },
    [ifOption(), nameOption(), placeOption()],
  );

  commands.add<RuleOptions>(
    rule,
    'edit <segment> <rule>',
    'change a rule of a segment: the conditions that are given take the place of its own',
    async (session, [named = '', ruleNamed = ''], { if: texts, name }) => {
      const conditions = texts.map((text) => ({ id: session.store.effects.uuid(), ...parseCondition(text) }));
      const written = await editActiveSegment(session, named, (current) => {
        const before = findRule(current.rules, ruleNamed, `segment "${named}"`);
        const changed = {
          ...before,
          ...(name === undefined ? {} : { name: nameForRule(withoutRule(current.rules, before), name) }),
          ...(conditions.length === 0 ? {} : { conditions }),
        };
        return { ...current, rules: replaceRule(current.rules, before, changed) };
      });
      reportChanges(session, written, `rule "${ruleNamed}" of ${named} is as described`);
    },
    [ifOption(), nameOption()],
  );

  commands.add(
    rule,
    'move <segment> <rule> <place>',
    'move a rule to another place, counted from 1',
    async (session, [named = '', ruleNamed = '', place = '']) => {
      const written = await editActiveSegment(session, named, (current) => {
        const moved = findRule(current.rules, ruleNamed, `segment "${named}"`);
        return { ...current, rules: insertRule(withoutRule(current.rules, moved), moved, place) };
      });
      reportChanges(session, written, `rule "${ruleNamed}" of ${named} is at place ${place}`);
    },
  );

  commands.add(
    rule,
    'remove <segment> <rule>',
    'remove a rule of a segment',
    async (session, [named = '', ruleNamed = '']) => {
      const written = await editActiveSegment(session, named, (current) => ({
        ...current,
        rules: withoutRule(current.rules, findRule(current.rules, ruleNamed, `segment "${named}"`)),
      }));
      reportChanges(session, written, `${named} has no rule "${ruleNamed}"`);
    },
  );
}
