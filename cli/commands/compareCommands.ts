import { type Command, Option } from 'commander';
import { asCopied, pairDocuments, segmentNames } from '../../shared/describe/compareFlags.ts';
import type { CopyEnvironment } from '../../shared/describe/copyFlags.ts';
import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import { deletedSegmentsInUse } from '../../shared/evaluation/references.ts';
import { asDeleted, withoutDeleted } from '../../shared/flags/deletion.ts';
import { type Document, documentTitle } from '../../shared/flags/document.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { requireAllWritable } from '../../shared/store/documents/writable.ts';
import type { CommandMaker } from '../command.ts';
import { withoutUnacceptable } from '../import/importFile.ts';
import type { Session } from '../session.ts';
import { countedDocuments } from '../text.ts';
import { issuedJson, issuedText } from './secretCommands.ts';

/** `env clone` and `env diff`: environments next to each other. */
export function addCompareCommands(env: Command, commands: CommandMaker): void {
  commands.addGlobal(
    env,
    'clone <environment> <name>',
    'create an environment with the flags and segments of another, and two SDK keys of its own, shown once',
    async ({ store, result, note, where, isVerbose }, [from = '', name = '']) => {
      const source = await store.environments.find(from);
      const all = (await store.documents.load(source.id)).map(requireDocument);
      const { documents, leftOut } = withoutUnacceptable(withoutDeleted(all));
      const deleted = deletedSegmentsInUse(all);
      requireAllWritable([], documents);
      const { environment, secrets } = await store.environments.create(name);
      for (const line of leftOut) note(`left out: ${line}`);
      note(`copying ${countedDocuments(documents.length)} …`);
      await store.documents.import(environment.id, [...deleted.map(asPresent), ...documents]);
      // A change of its own, so that an undo in the new environment brings them back.
      await store.documents.writeAll(environment.id, () =>
        deleted.map((segment) => ({ kind: 'segment', document: asDeleted(segment) })),
      );
      result({ id: environment.id, name, documents: documents.length, secrets: secrets.map(issuedJson) }, [
        `✓ created environment "${name}"${isVerbose ? ` with id ${environment.id}` : ''}, and ${countedDocuments(documents.length)} of "${source.name}"${where()}`,
        ...secrets.map(issuedText),
      ]);
    },
  );

  commands.addGlobal<{ exitCode?: boolean }>(
    env,
    'diff <environment> <other>',
    'show what to change in the flags and segments of the first environment to get those of the second',
    async (session, [one = '', other = ''], { exitCode }) => {
      const [first, second] = [await readEnvironment(session, one), await readEnvironment(session, other)];
      reportDifferences(session, first, asCopied(second, first), segmentNames(first, second), exitCode);
    },
    [
      new Option(
        '--exit-code',
        'exit with 0 if they have the same content, 1 if they differ, 2 if they cannot be compared',
      ),
    ],
  );
}

/**
 * Shows what to change in one set of flags and segments to get another.
 *
 * @param exitCode whether the command exits with 1 if they differ
 */
export function reportDifferences(
  session: Session,
  first: CopyEnvironment,
  second: CopyEnvironment,
  segmentName: (id: string) => string,
  exitCode = false,
): void {
  const changes = pairDocuments(first, second).flatMap(({ name, before, after }) => {
    const differences =
      before && after
        ? changesOf(before, after, segmentName).map((change) => changeText(change))
        : [`is only in "${before ? first.name : second.name}"`];
    const present = before ?? after;
    return present && differences.length > 0 ? [{ name, differences, title: documentTitle(present) }] : [];
  });
  session.result(
    changes.map(({ name, differences }) => ({ name, differences })),
    changes.length === 0
      ? `"${first.name}" and "${second.name}" have the same flags and segments`
      : changes.flatMap(({ title, differences }) => differences.map((text) => `${title} ${text}`)),
  );
  if (exitCode && changes.length > 0) session.exitWithOne();
}

/** A deleted segment as undoing the deletion leaves it. */
function asPresent({ isDeleted, ...segment }: Segment): Document {
  return { kind: 'segment', document: { ...segment, isArchived: false } };
}

async function readEnvironment({ store }: Session, named: string): Promise<CopyEnvironment> {
  const { id, name } = await store.environments.find(named);
  return { name, documents: (await store.documents.load(id)).map(requireDocument) };
}
