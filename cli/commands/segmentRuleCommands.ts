import type { Command } from 'commander';
import { changedRule, findRule, insertRule, nameForRule, replaceRule } from '../../shared/flags/ruleEdits.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { addPlaceCommands, conditionLines, readConditions } from '../editRules.ts';
import { editActiveSegment, readSegment } from '../editSegment.ts';
import { UsageError } from '../io.ts';
import { ifOption, nameOption, positionOption, type RuleOptions } from '../ruleOptions.ts';
import { formatTable } from '../table.ts';

/** `segment rule list|add|edit|move|remove`: users who match any rule are in the segment. */
export function addSegmentRuleCommands(segment: Command, commands: CommandMaker): void {
  const rule = segment.command('rule').description('rules of a segment: users who match any rule are in it');

  commands.add(rule, 'list <segment>', 'list the rules of a segment', async (session, [named = '']) => {
    const { rules } = await readSegment(session, named);
    const rows = rules.map(({ name, conditions }, index) => [String(index + 1), name, conditionLines(conditions)]);
    session.result(rules, formatTable(['position', 'name', 'if'], rows, `segment "${named}" has no rules`));
  });

  commands.edit<RuleOptions>(
    rule,
    'add <segment>',
    'add a rule: users who match all of its conditions are in the segment',
    async (session, [named = ''], { if: texts, name: wanted, position }) => {
      if (texts.length === 0) throw new UsageError('a rule needs a condition, such as --if plan=pro');
      const { uuid } = session.store.effects;
      const conditions = readConditions(session, texts);
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
      const conditions = readConditions(session, texts);
      const written = await editActiveSegment(session, named, (current) => {
        const before = findRule(current.rules, ruleNamed, `segment "${named}"`);
        const changed = changedRule(current.rules, before, name, conditions);
        return { ...current, rules: replaceRule(current.rules, before, changed) };
      });
      const which = `rule "${ruleNamed}" of segment "${named}"`;
      reportChanges(session, written, `changed ${which}`, `${which} is already like this`);
    },
    [ifOption(), nameOption()],
  );

  addPlaceCommands(rule, commands, {
    kind: 'segment',
    shown: (named) => `segment "${named}"`,
    edit: (session, named, change) =>
      editActiveSegment(session, named, (segment) => ({ ...segment, rules: change(segment.rules) })),
  });
}
