import { type Command, Option } from 'commander';
import { withoutTarget, withRollout, withTarget } from '../shared/flags/flagEdits.ts';
import { findRule } from '../shared/flags/ruleEdits.ts';
import { findVariation } from '../shared/flags/shares.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActive } from './editFlag.ts';
import { type RolloutOptions, rolloutOptions } from './ruleOptions.ts';

/** `rollout`, `target`, `untarget`: shares of the users, and users by name. */
export function addTargetingCommands(program: Command, commands: CommandMaker): void {
  commands.add<RolloutOptions & { rule?: string }>(
    program,
    'rollout <flag> <shares...>',
    'divide users among variations: rollout my-flag true=10 false=90',
    async (session, [key = '', ...shares], { rule: named, by, experiment }) => {
      const written = await editActive(session, key, (flag) => {
        const rule = named === undefined ? undefined : findRule(flag.rules, named, `flag "${key}"`);
        return withRollout(flag, { shares, by, experiment }, rule);
      });
      reportChanges(session, written, `${key} is rolled out to ${shares.join(', ')}`);
    },
    [new Option('--rule <rule>', 'name, id or place of a rule; the fallthrough if omitted'), ...rolloutOptions()],
  );

  commands.add(
    program,
    'target <flag> <variation> <keyIds...>',
    'give users a variation regardless of the rules',
    async (session, [key = '', variation = '', ...keyIds]) => {
      const written = await editActive(session, key, (flag) =>
        withTarget(flag, findVariation(flag, variation).id, keyIds),
      );
      reportChanges(session, written, `${keyIds.join(', ')} get ${variation} of ${key}`);
    },
  );

  commands.add(
    program,
    'untarget <flag> <keyIds...>',
    'remove users from all targets, so that rules apply to them',
    async (session, [key = '', ...keyIds]) => {
      const written = await editActive(session, key, (flag) => withoutTarget(flag, keyIds));
      reportChanges(session, written, `${keyIds.join(', ')} follow the rules of ${key}`);
    },
  );
}
