import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { problemOfEnd } from '../../shared/evaluation/references.ts';
import { byKind } from '../../shared/flags/document.ts';
import { excluding, including, leavingToRules, requireFreeName } from '../../shared/flags/edits/segmentEdits.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { readUserKeys, userKeysToRemove } from '../../shared/flags/userKeys.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActiveSegment, editSegment, readSegment } from '../editDocuments.ts';
import { readText } from '../import/jsonFile.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, formatTable } from '../text.ts';
import { write } from '../write.ts';
import { addSegmentRuleCommands } from './ruleCommands.ts';
import { describeSegment } from './showCommand.ts';

/**
 * `segment list|show|create|rename|describe|archive|restore`, and the commands for its users and rules.
 *
 * @returns the parent command for further commands of segments
 */
export function addSegmentCommands(program: Command, commands: CommandMaker): Command {
  const segment = program.command('segment').description('groups of users that flag rules can refer to');

  commands.add(segment, 'list', 'list the segments', async (session) => {
    const segments = await session.documents<Segment>('segment');
    const rows = segments.map(({ id, name, included, excluded, rules, isArchived }) => [
      id,
      isArchived ? `${name} (archived)` : name,
      ...[included, excluded, rules].map(({ length }) => String(length)),
    ]);
    session.result(
      segments,
      formatTable(['id', 'name', 'included', 'excluded', 'rules'], rows, 'there are no segments'),
    );
  });

  commands.add(
    segment,
    'show <segment>',
    'show a segment: users, rules, flags that use it, and last change. --json writes it as it is stored',
    async (session, [named = '']) => {
      const found = await readSegment(session, named);
      session.result(found, await describeSegment(session, found));
    },
  );

  commands.change<{ id?: string }>(
    segment,
    'create <name>',
    'create an empty segment',
    async (session, [name = ''], { id: wanted }) => {
      const id = wanted ?? session.store.effects.uuid();
      const written = await write(session, (envId) =>
        session.store.documents.writeSegment(envId, id, (existing, all) => {
          if (existing) throw new Conflict(`segment "${id}" exists already`);
          requireFreeName(byKind(all).segments, id, name);
          const result = parseSegment({ id, name });
          if (!result.ok) throw new UsageError(`"${id}" is not a valid segment id: ${result.problems[0]?.message}`);
          return result.value;
        }),
      );
      reportChanges(session, written, `created segment "${name}"${session.isVerbose ? ` with id ${id}` : ''}`);
    },
    [
      new Option(
        '--id <id>',
        'id of the segment, for example its id in FeatBit. If omitted, the command creates an id',
      ),
    ],
  );

  commands.edit(
    segment,
    'rename <segment> <name>',
    'change the name of a segment. Its id does not change',
    async (session, args) => {
      const [named = '', name = ''] = args;
      const written = await editSegment(session, named, (current, all) => {
        requireFreeName(byKind(all).segments, current.id, name);
        return { ...current, name };
      });
      reportChanges(session, written, `segment "${named}" is named "${name}"`);
    },
  );

  commands.edit(segment, 'describe <segment> <text>', 'set the description of a segment', async (session, args) => {
    const [named = '', description = ''] = args;
    const written = await editSegment(session, named, (current) => ({ ...current, description }));
    reportChanges(session, written, `segment "${named}" is described as "${description}"`);
  });

  addMemberCommands(segment, commands);
  addSegmentRuleCommands(segment, commands);

  commands.edit(segment, 'archive <segment>', 'archive a segment that no flag uses', async (session, [named = '']) => {
    const written = await editSegment(session, named, (current, all) => {
      const problem = problemOfEnd(current.id, 'archived', all);
      if (problem) throw new CliError(`segment "${named}" ${problem}`);
      return { ...current, isArchived: true };
    });
    reportChanges(session, written, `segment "${named}" is archived`);
  });

  commands.edit(segment, 'restore <segment>', 'restore an archived segment', async (session, [named = '']) => {
    const written = await editSegment(session, named, (current) => ({ ...current, isArchived: false }));
    reportChanges(session, written, `segment "${named}" is restored`, `segment "${named}" is not archived`);
  });
  return segment;
}

/** Maximum number of users named in a result. */
const NAMED = 5;

const MEMBERSHIPS = [
  ['include', 'include users, by user key (keyId)', 'includes', including, readUserKeys],
  ['exclude', 'exclude users, by user key (keyId)', 'excludes', excluding, readUserKeys],
  [
    'remove',
    'remove users from both lists, so that the rules of the segment apply to them',
    'does not list',
    leavingToRules,
    userKeysToRemove,
  ],
] as const;

/** `segment include|exclude|remove`: users by user key, as arguments or from a file. */
function addMemberCommands(segment: Command, commands: CommandMaker): void {
  for (const [name, description, state, change, read] of MEMBERSHIPS) {
    commands.edit<{ file?: string }>(
      segment,
      `${name} <segment> [userKeys...]`,
      description,
      async (session, [named = '', ...given], { file }) => {
        const keyIds = read([...given, ...(file === undefined ? [] : readKeyIds(session, file))]);
        if (keyIds.length === 0) throw new UsageError('add user keys, or a file with one on each line: --file <file>');
        const written = await editActiveSegment(session, named, (current) => change(current, keyIds));
        const who = keyIds.length > NAMED ? `${keyIds.length} users` : keyIds.join(', ');
        reportChanges(session, written, `segment "${named}" ${state} ${who}`);
      },
      [new Option('--file <file>', 'file with one user key on each line').argParser(userPath)],
    );
  }
}

/** @throws {CliError} for a line with a quote or a control character: the file has another format */
function readKeyIds(session: Session, path: string): string[] {
  const lines = readText(path)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  const csv = keys.filter((line) => /[,;\t]/.test(line)).length;
  const likeCsv = `${csv} of ${counted(keys.length, 'line')} ${csv === 1 ? 'looks' : 'look'} like CSV`;
  const invalid = lines.findIndex((line) => /["\p{Cc}]/u.test(line));
  if (invalid >= 0) {
    const found = `${path}: line ${invalid + 1} has a quote or a control character`;
    throw new CliError(`${found}${csv > 0 ? `, and ${likeCsv}` : ''}. Write one user key on each line`);
  }
  if (csv > 0) session.note(`warning: ${path}: ${likeCsv}. A whole line is a user key`);
  return keys;
}
