import { type Command, Option } from 'commander';
import { deletedSegmentsInUse } from '../shared/evaluation/references.ts';
import { asDeleted, withoutDeleted } from '../shared/flags/deletion.ts';
import { differences, formatDifference } from '../shared/flags/difference.ts';
import { type Document, documentName } from '../shared/flags/document.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { requireDocument } from '../shared/store/item.ts';
import type { CommandMaker, Session } from './command.ts';
import { noteSeveral } from './environmentChoice.ts';
import { issuedText } from './secretCommands.ts';

/** `env clone` and `env diff`: environments next to each other. */
export function addCompareCommands(env: Command, commands: CommandMaker): void {
  commands.add(
    env,
    'clone <environment> <name>',
    'create an environment with the flags and segments of another, and its own two secrets, shown once',
    async (session, [from = '', name = '']) => {
      const { store, result, note, where } = session;
      const source = await store.environments.find(from);
      const all = (await store.documents.load(source.id)).map(requireDocument);
      const documents = withoutDeleted(all);
      const deleted = deletedSegmentsInUse(all);
      const { environment, secrets } = await store.environments.create(name);
      note(`copying ${documents.length} flags and segments …`);
      await store.documents.import(environment.id, [...deleted.map(asPresent), ...documents]);
      // A change of its own, so that an undo in the new environment brings them back.
      await store.documents.writeAll(environment.id, () =>
        deleted.map((segment) => ({ kind: 'segment', document: asDeleted(segment) })),
      );
      result(
        {
          id: environment.id,
          name,
          documents: documents.length,
          secrets: secrets.map(({ record, value }) => ({ id: record.id, name: record.name, type: record.type, value })),
        },
        [
          `created environment "${name}" with id ${environment.id}, and ${documents.length} flags and segments of "${source.name}" (${where()})`,
          ...secrets.map(issuedText),
        ],
      );
      await noteSeveral(session);
    },
  );

  commands.add<{ exitCode?: boolean }>(
    env,
    'diff <environment> <other>',
    'show how the flags and segments of two environments differ: what to change in the first to get the second',
    async (session, [one = '', other = ''], { exitCode }) => {
      const [before, after] = [await documentsByName(session, one), await documentsByName(session, other)];
      const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
        const lines = linesOf(before.get(name), after.get(name));
        return lines.length === 0 ? [] : [{ name, lines }];
      });
      session.result(
        changes.map(({ name, lines }) => ({ name, differences: lines })),
        changes.length === 0
          ? `"${one}" and "${other}" have the same flags and segments`
          : changes.flatMap(({ name, lines }) => lines.map((line) => `${name} ${line}`)),
      );
      if (exitCode && changes.length > 0) session.exitWithOne();
    },
    [new Option('--exit-code', 'exit with 1 if they differ, and with 0 if they do not')],
  );
}

/** A deleted segment as undoing the deletion leaves it. */
function asPresent({ isDeleted, ...segment }: Segment): Document {
  return { kind: 'segment', document: { ...segment, isArchived: false } };
}

async function documentsByName({ store }: Session, named: string): Promise<Map<string, Document>> {
  const { id } = await store.environments.find(named);
  const documents = withoutDeleted((await store.documents.load(id)).map(requireDocument));
  return new Map(documents.map((document) => [documentName(document), document]));
}

function linesOf(before: Document | undefined, after: Document | undefined): string[] {
  if (!before) return ['is only in the second'];
  if (!after) return ['is only in the first'];
  return differences(before.document, after.document).map(formatDifference);
}
