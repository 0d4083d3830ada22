import { type Command, Option } from 'commander';
import { OPERATOR_WORDS, parseCondition } from '../../shared/describe/conditionText.ts';
import { withRollout } from '../../shared/flags/edits/flagEdits.ts';
import {
  changedRule,
  findRule,
  insertRule,
  type NamedRule,
  nameForRule,
  replaceRule,
  withoutRule,
} from '../../shared/flags/edits/ruleEdits.ts';
import type { Condition } from '../../shared/flags/rule.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { reportChanges } from '../changes.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import { editActive, editActiveSegment, segmentIds } from '../editDocuments.ts';
import { UsageError } from '../io.ts';
import type { Session } from '../session.ts';

const EMPTY_ROLLOUT = { dispatchKey: null, includedInExpt: false, variations: [] };

/** `rule add|edit|move|remove`: a flag's rules, evaluated in order until one matches. */
export function addRuleCommands(program: Command, commands: CommandMaker): void {
  const rule = program
    .command('rule')
    .description('rules of a flag, evaluated in order. The first match wins. `show` lists them');

  commands.edit<RuleOptions & RolloutOptions>(
    rule,
    'add <flag> <shares...>',
    'serve a variation or a percentage rollout to users who match all conditions',
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

async function addRule(
  session: Session,
  [key = '', ...shares]: readonly string[],
  { if: texts, name: wanted, position, by, experiment }: RuleOptions & RolloutOptions,
): Promise<void> {
  if (texts.length === 0) {
    throw new UsageError('a rule needs a condition, such as --if plan=pro; for users who match no rule, use rollout');
  }
  const conditions = readConditions(session, texts, await segmentIds(session));
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
  const conditions = readConditions(session, texts, texts.length > 0 ? await segmentIds(session) : undefined);
  const written = await editActive(session, key, (flag) => {
    const rule = findRule(flag.rules, named, `flag "${key}"`);
    const changed = changedRule(flag.rules, rule, name, conditions);
    const rules = replaceRule(flag.rules, rule, changed);
    return withRollout({ ...flag, rules }, { shares, by, experiment }, changed);
  });
  const rule = `rule "${named}" of ${key}`;
  reportChanges(session, written, `changed ${rule}`, `${rule} is already like this`);
}

/** `segment rule add|edit|move|remove`: users who match any rule are in the segment. */
export function addSegmentRuleCommands(segment: Command, commands: CommandMaker): void {
  const rule = segment
    .command('rule')
    .description('rules of a segment: users who match any rule are in it. `segment show` lists them');

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
function addPlaceCommands(rule: Command, commands: CommandMaker, { kind, shown, edit }: RuleOwners): void {
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
function readConditions(
  { store }: Session,
  texts: readonly string[],
  segmentId?: (named: string) => string,
): Condition[] {
  return texts.map((text) => ({ id: store.effects.uuid(), ...parseCondition(text, segmentId) }));
}

/** The options of commands that add or change a rule. */
interface RuleOptions {
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
const ifOption = () =>
  repeatable(
    '--if <condition>',
    `condition that must match: an attribute, one of ${OPERATOR_WORDS.join(' | ')}, and a value. Or "in segment <names>"`,
  );

const nameOption = () => new Option('--name <name>', 'name of the rule; SDKs report it as the reason');

const positionOption = () =>
  new Option('--position <position>', 'position among the rules, counted from 1 (default: last)');

export const rolloutOptions = (): Option[] => [
  new Option('--by <attribute>', 'attribute that users are split by, such as keyId or country'),
  repeatable(
    '--experiment <share>',
    'percentage of users who are in the experiment with a variation, such as true=5. No other users are in it',
  ),
];
