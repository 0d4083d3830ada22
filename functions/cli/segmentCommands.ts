import type { Command } from 'commander';
import { Option } from 'commander';
import { referencedSegments } from '../../shared/evaluation/flag.ts';
import type { Document } from '../../shared/flags/document.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { Conflict, NotFound } from '../../shared/store/errors.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker, Session } from './command.ts';
import { CliError } from './io.ts';
import { write } from './largeEnvironment.ts';
import { formatTable } from './table.ts';

/** `segment list|show|create|include|exclude|remove|archive|restore`. */
export function addSegmentCommands(program: Command, commands: CommandMaker): void {
  const segment = program.command('segment').description('groups of users that flags refer to');

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

  commands.add(segment, 'show <segment>', 'show a segment as it is stored', async (session, [named = '']) => {
    const found = find(await session.documents<Segment>('segment'), named);
    session.result(found, JSON.stringify(found, null, 2));
  });

  commands.add<{ id?: string }>(
    segment,
    'create <name>',
    'create an empty segment',
    async (session, [name = ''], { id: wanted }) => {
      const id = wanted ?? session.store.effects.uuid();
      const written = await write(session, (envId) =>
        session.store.documents.writeSegment(envId, id, (existing) => {
          if (existing) throw new Conflict(`segment "${id}" exists already`);
          const result = parseSegment({ id, name });
          if (!result.ok) throw new CliError(`"${id}" cannot be a segment's id: ${result.problems[0]?.message}`);
          return result.value;
        }),
      );
      reportChanges(session, written, `segment "${name}" exists with id ${id}`);
    },
    [new Option('--id <id>', 'id of a segment that exists elsewhere already')],
  );

  const membership: readonly [string, string, string, (s: Segment, keyIds: readonly string[]) => Partial<Segment>][] = [
    [
      'include',
      'include users',
      'are included in',
      (s, k) => ({ included: add(s.included, k), excluded: drop(s.excluded, k) }),
    ],
    [
      'exclude',
      'exclude users',
      'are excluded from',
      (s, k) => ({ included: drop(s.included, k), excluded: add(s.excluded, k) }),
    ],
    [
      'remove',
      'neither include nor exclude users, so that rules apply to them',
      'follow the rules of',
      (s, k) => ({ included: drop(s.included, k), excluded: drop(s.excluded, k) }),
    ],
  ];
  for (const [name, description, outcome, change] of membership) {
    commands.add(segment, `${name} <segment> <keyIds...>`, description, async (session, [named = '', ...keyIds]) => {
      const written = await edit(session, named, (current) => ({ ...current, ...change(current, keyIds) }));
      reportChanges(session, written, `${keyIds.join(', ')} ${outcome} ${named}`);
    });
  }

  commands.add(
    segment,
    'archive <segment>',
    'archive a segment that no flag refers to',
    async (session, [named = '']) => {
      const written = await edit(session, named, (current, all) => {
        const users = flagsReferringTo(current.id, all);
        if (users.length > 0)
          throw new CliError(`segment "${named}" cannot be archived: these flags refer to it: ${users.join(', ')}`);
        return { ...current, isArchived: true };
      });
      reportChanges(session, written, `${named} is archived`);
    },
  );

  commands.add(segment, 'restore <segment>', 'restore an archived segment', async (session, [named = '']) => {
    const written = await edit(session, named, (current) => ({ ...current, isArchived: false }));
    reportChanges(session, written, `${named} is restored`);
  });
}

async function edit(session: Session, named: string, change: (segment: Segment, all: readonly Document[]) => Segment) {
  const { id } = find(await session.documents<Segment>('segment'), named);
  return write(session, (envId) =>
    session.store.documents.writeSegment(envId, id, (current, all) => {
      if (!current) throw noSegment(named);
      return change(current, all);
    }),
  );
}

/** A segment by its id, or by its name when only one has that name. */
function find(segments: readonly Segment[], named: string): Segment {
  const found = segments.filter(({ id, name }) => id === named || name === named);
  const [first] = found;
  if (!first) throw noSegment(named);
  if (found.length > 1)
    throw new CliError(`several segments are named "${named}"; use an id: ${found.map(({ id }) => id).join(', ')}`);
  return first;
}

function flagsReferringTo(segmentId: string, all: readonly Document[]): string[] {
  return all.flatMap((item) =>
    item.kind === 'flag' && !item.document.isArchived && referencedSegments(item.document).has(segmentId)
      ? [item.document.key]
      : [],
  );
}

function add(list: readonly string[], keyIds: readonly string[]): string[] {
  return [...new Set([...list, ...keyIds])];
}

function drop(list: readonly string[], keyIds: readonly string[]): string[] {
  return list.filter((keyId) => !keyIds.includes(keyId));
}

function noSegment(named: string): NotFound {
  return new NotFound(`there is no segment "${named}"; \`segment list\` shows all segments`);
}
