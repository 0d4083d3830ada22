import { type Command, Option } from 'commander';
import { formatCondition, OPERATOR_WORDS, parseCondition } from '../shared/describe/conditionText.ts';
import { findRule, insertRule, type NamedRule, withoutRule } from '../shared/flags/edits/ruleEdits.ts';
import type { Condition } from '../shared/flags/rule.ts';
import type { StoredDocument } from '../shared/store/documents/item.ts';
import { reportChanges } from './changes.ts';
import { type CommandMaker, repeatable } from './command.ts';
import type { Session } from './session.ts';

/** The flags or the segments, whose rules are edited. */
interface RuleOwners {
  readonly kind: 'flag' | 'segment';
  /** The name of one in a result. */
  readonly shown: (named: string) => string;
  readonly edit: (
    session: Session,
    named: string,
    change: <R extends NamedRule>(rules: readonly R[]) => R[],
  ) => Promise<StoredDocument[]>;
}

/** `move` and `remove` of rules. */
export function addPlaceCommands(rule: Command, commands: CommandMaker, { kind, shown, edit }: RuleOwners): void {
  commands.edit(
    rule,
    `move <${kind}> <rule> <position>`,
    'move a rule to another position, counted from 1',
    async (session, [named = '', ruleNamed = '', position = '']) => {
      const written = await edit(session, named, (rules) => {
        const moved = findRule(rules, ruleNamed, `${kind} "${named}"`);
        return insertRule(withoutRule(rules, moved), moved, position);
      });
      reportChanges(session, written, `rule "${ruleNamed}" of ${shown(named)} is at position ${position}`);
    },
  );

  commands.edit(rule, `remove <${kind}> <rule>`, 'remove a rule', async (session, [named = '', ruleNamed = '']) => {
    const written = await edit(session, named, (rules) =>
      withoutRule(rules, findRule(rules, ruleNamed, `${kind} "${named}"`)),
    );
    reportChanges(session, written, `removed rule "${ruleNamed}" of ${shown(named)}`);
  });
}

/** Parses the conditions of a rule. @param segmentId finds a segment by its name */
export function readConditions(
  { store }: Session,
  texts: readonly string[],
  segmentId?: (named: string) => string,
): Condition[] {
  return texts.map((text) => ({ id: store.effects.uuid(), ...parseCondition(text, segmentId) }));
}

/** The conditions of a rule, one on each line. */
export function conditionLines(conditions: readonly Condition[], segmentName?: (id: string) => string): string[] {
  return conditions.map((condition, at) => `${at === 0 ? '' : 'and '}${formatCondition(condition, segmentName)}`);
}

/** The options of commands that add or change a rule. */
export interface RuleOptions {
  readonly if: string[];
  readonly name?: string;
  readonly position?: string;
}

/** The options of commands that add or change a percentage rollout. */
export interface RolloutOptions {
  readonly by?: string;
  readonly experiment: string[];
}

/** A rule matches if all of its conditions do. */
export const ifOption = () =>
  repeatable(
    '--if <condition>',
    `condition that must match: an attribute, one of ${OPERATOR_WORDS.join(' | ')}, and a value. Or "in segment <names>"`,
  );

export const nameOption = () => new Option('--name <name>', 'name of the rule; SDKs report it as the reason');

export const positionOption = () =>
  new Option('--position <position>', 'position among the rules, counted from 1 (default: last)');

export const rolloutOptions = (): Option[] => [
  new Option('--by <attribute>', 'attribute that users are split by, such as keyId or country'),
  repeatable(
    '--experiment <share>',
    'percentage of users who are in the experiment with a variation, such as true=5. No other users are in it',
  ),
];
