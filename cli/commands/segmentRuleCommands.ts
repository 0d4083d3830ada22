import type { Command } from 'commander';
import { formatCondition, parseCondition } from '../../shared/evaluation/conditionText.ts';
import { findRule, insertRule, nameForRule, replaceRule, withoutRule } from '../../shared/flags/ruleEdits.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { findSegment } from '../../shared/flags/segmentEdits.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActiveSegment } from '../editSegment.ts';
import { UsageError } from '../io.ts';
import { ifOption, nameOption, positionOption, type RuleOptions } from '../ruleOptions.ts';
import { formatTable } from '../table.ts';

/** `segment rule list|add|edit|move|remove`: users who match any rule are in the segment. */
export function addSegmentRuleCommands(segment: Command, commands: CommandMaker): void {
  const rule = segment.command('rule').description('rules of a segment: users who match any rule are in it');

  commands.add(rule, 'list <segment>', 'list the rules of a segment', async (session, [named = '']) => {
    const { rules } = findSegment(await session.documents<Segment>('segment', 'with deleted'), named);
    const rows = rules.map(({ name, conditions }, index) => [
      String(index + 1),
      name,
      conditions.map((condition, at) => `${at === 0 ? '' : 'and '}${formatCondition(condition)}`),
    ]);
    session.result(rules, formatTable(['position', 'name', 'if'], rows, `segment "${named}" has no rules`));
  });

  commands.edit<RuleOptions>(
    rule,
    'add <segment>',
    'add a rule: users who match all of its conditions are in the segment',
    async (session, [named = ''], { if: texts, name: wanted, position }) => {
      if (texts.length === 0) throw new UsageError('a rule needs a condition, such as --if plan=pro');
      const { uuid } = session.store.effects;
      const conditions = texts.map((text) => ({ id: uuid(), ...parseCondition(text) }));
      let name = '';
      const written = await editActiveSegment(session, named, (current) => {
        name = nameForRule(current.rules, wanted);
        return { ...current, rules: insertRule(current.rules, { id: uuid(), name, conditions }, position) };
      });
      reportChanges(session, written, `added rule "${name}" to segment "${named}": ${texts.join(' and ')}`);
    },
    [ifOption(), nameOption(), positionOption()],
  );

  commands.edit<RuleOptions>(
    rule,
    'edit <segment> <rule>',
    'replace the conditions or the name of a rule. Parts that you omit do not change',
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
      const which = `rule "${ruleNamed}" of segment "${named}"`;
      reportChanges(session, written, `changed ${which}`, `${which} is already like this`);
    },
    [ifOption(), nameOption()],
  );

  commands.edit(
    rule,
    'move <segment> <rule> <position>',
    'move a rule to another position, counted from 1',
    async (session, [named = '', ruleNamed = '', position = '']) => {
      const written = await editActiveSegment(session, named, (current) => {
        const moved = findRule(current.rules, ruleNamed, `segment "${named}"`);
        return { ...current, rules: insertRule(withoutRule(current.rules, moved), moved, position) };
      });
      reportChanges(session, written, `rule "${ruleNamed}" of segment "${named}" is at position ${position}`);
    },
  );

  commands.edit(
    rule,
    'remove <segment> <rule>',
    'remove a rule of a segment',
    async (session, [named = '', ruleNamed = '']) => {
      const written = await editActiveSegment(session, named, (current) => ({
        ...current,
        rules: withoutRule(current.rules, findRule(current.rules, ruleNamed, `segment "${named}"`)),
      }));
      reportChanges(session, written, `removed rule "${ruleNamed}" of segment "${named}"`);
    },
  );
}
