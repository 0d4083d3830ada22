import { type Command, Option } from 'commander';
import { formatInvalidCondition } from '../../shared/evaluation/snapshot.ts';
import { withoutTarget, withRollout, withTarget } from '../../shared/flags/flagEdits.ts';
import { findRule } from '../../shared/flags/ruleEdits.ts';
import { findVariation } from '../../shared/flags/shares.ts';
import type { User } from '../../shared/flags/user.ts';
import { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { reportChanges } from './changes.ts';
import { type CommandMaker, repeatable } from './command.ts';
import { editActive, noFlag } from './editFlag.ts';
import { CliError } from './io.ts';
import { type RolloutOptions, rolloutOptions } from './ruleOptions.ts';

/** Targeting: `rollout`, `target`, `untarget`, and `evaluate`, which shows what a user gets and why. */
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

  commands.add<{ user: string; name?: string; attr: string[] }>(
    program,
    'evaluate <flag>',
    'show what a user gets, and why',
    async (session, [key = ''], { user: keyId, name, attr }) => {
      const { id } = await session.environment();
      const cache = new SnapshotCache(session.store, (_envId, invalidConditions) => {
        for (const invalidCondition of invalidConditions)
          session.note(`warning: ${formatInvalidCondition(invalidCondition)}`);
      });
      const flag = (await cache.read(id)).snapshot.flags.find(({ document }) => document.key === key);
      if (!flag) throw noFlag(key);
      const user: User = { keyId, name: name ?? null, attributes: new Map(attr.map(readAttribute)) };
      const { variationId, value, reason, sendToExperiment } = flag.evaluate(user);
      session.result({ key, keyId, variationId, value, reason, sendToExperiment }, `${value} (${reason})`);
    },
    [
      new Option('--user <keyId>', 'key id of the user').makeOptionMandatory(),
      new Option('--name <name>', 'name of the user'),
      repeatable('--attr <name=value>', 'attribute of the user'),
    ],
  );
}

function readAttribute(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new CliError(`"${text}" is not an attribute; write name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
