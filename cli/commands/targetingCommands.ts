import type { Command } from 'commander';
import { withoutTarget, withRollout, withTarget } from '../../shared/flags/edits/flagEdits.ts';
import { findVariation } from '../../shared/flags/shares.ts';
import { readUserKeys, userKeysToRemove } from '../../shared/flags/userKeys.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActive } from '../editDocuments.ts';
import { type RolloutOptions, rolloutOptions } from './ruleCommands.ts';

/** `rollout`, `target`, `untarget`: percentage rollouts and individual targets. */
export function addTargetingCommands(program: Command, commands: CommandMaker): void {
  commands.edit<RolloutOptions>(
    program,
    'rollout <flag> <shares...>',
    'set the percentage rollout of the default rule. For another rule, use rule edit',
    async (session, [key = '', ...shares], { by, experiment }) => {
      const written = await editActive(session, key, (flag) => withRollout(flag, { shares, by, experiment }));
      reportChanges(session, written, `the default rule of ${key} serves ${shares.join(' ')}`);
    },
    rolloutOptions(),
  );

  commands.edit(
    program,
    'target <flag> <variation> <userKeys...>',
    'serve users a variation regardless of the rules, by user key (keyId)',
    async (session, [key = '', variation = '', ...given]) => {
      const keyIds = readUserKeys(given);
      const written = await editActive(session, key, (flag) =>
        withTarget(flag, findVariation(flag, variation).id, keyIds),
      );
      reportChanges(session, written, `${key} serves ${variation} to ${keyIds.join(', ')}`);
    },
  );

  commands.edit(
    program,
    'untarget <flag> <userKeys...>',
    'remove individual targets, so that the rules apply to these users',
    async (session, [key = '', ...keyIds]) => {
      const removed = userKeysToRemove(keyIds);
      const written = await editActive(session, key, (flag) => withoutTarget(flag, removed));
      reportChanges(session, written, `${key} has no individual target for ${keyIds.join(', ')}`);
    },
  );
}
