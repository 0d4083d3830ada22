import { type Command, Option } from 'commander';
import { segmentNames } from '../../shared/describe/compareFlags.ts';
import { type CopyEnvironment, copyFlags } from '../../shared/describe/copyFlags.ts';
import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentName, documentTitle } from '../../shared/flags/document.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import { changesJson, undoHint } from '../changes.ts';
import { type CommandMaker, writeOptions } from '../command.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { noteSdkDifferences, write } from '../write.ts';

interface CopyOptions {
  readonly from?: string;
  readonly to: string;
  readonly dryRun?: boolean;
  readonly withSegments?: boolean;
  readonly withState?: boolean;
}

/** A document that a copy writes, and its changes. */
interface CopiedDocument {
  readonly name: string;
  readonly isNew: boolean;
  readonly lines: readonly string[];
}

/** `copy`: copies the settings of flags between environments. */
export function addCopyCommand(program: Command, commands: CommandMaker): void {
  commands.addGlobal<CopyOptions>(
    program,
    'copy <flags...>',
    'copy the targeting of flags to another environment. Each flag stays on or off there. Segments are matched by name',
    copy,
    [
      new Option('--from <environment>', 'environment to copy from (default: as for other commands)').env(
        'FLAGWIRE_ENV',
      ),
      new Option('--to <environment>', 'environment to copy to').makeOptionMandatory(),
      new Option('--with-state', 'also turn each flag on or off as in the source. Without it, a new flag is off'),
      new Option('--with-segments', 'create segments that the target environment lacks'),
      new Option('--dry-run', 'show the changes, and write nothing'),
      ...writeOptions(),
    ],
  );
}

async function copy(
  session: Session,
  keys: readonly string[],
  { from, to, dryRun, withSegments, withState }: CopyOptions,
): Promise<void> {
  const { store } = session;
  const source = from === undefined ? await session.environment() : await store.environments.find(from);
  const target = await store.environments.find(to);
  if (source.id === target.id) throw new UsageError(`--from and --to are the same environment, "${source.name}"`);
  const load = async (envId: string) => (await store.documents.load(envId)).map(requireDocument);
  const sourceDocuments = { name: source.name, documents: await load(source.id) };
  const present = { name: target.name, documents: await load(target.id) };
  const parts = withState ? 'targeting and state' : 'targeting';
  const wanted = copyFlags(keys, sourceDocuments, present, store.effects.uuid, parts);
  const copied = copiedDocuments(wanted, sourceDocuments, present);
  const missing = byKind(wanted).segments.map(({ name }) => `"${name}"`);
  if (missing.length > 0 && !withSegments) {
    throw new CliError(
      `environment "${target.name}" does not have these segments, which the flags refer to: ${missing.join(', ')}. ` +
        'Create them there, or copy them too with --with-segments',
    );
  }
  const lines = copied.flatMap(({ name, isNew, lines: changed }) => [
    ...(isNew ? [`new ${name}`] : []),
    ...changed.map((line) => `${name} ${line}`),
  ]);
  if (lines.length === 0) {
    const but = withState ? '' : ', apart from on and off';
    return session.result(
      { documents: [], changes: [] },
      `no change: in ${target.name}, the flags are as in ${source.name} already${but}`,
    );
  }
  if (dryRun) {
    noteSdkDifferences(session, present.documents, wanted);
    return session.result({ documents: copied, changes: [] }, [
      ...lines,
      `dry run: nothing was written in ${target.name}`,
    ]);
  }
  await session.environmentToChange(target, () => {
    for (const line of lines) session.note(line);
  });
  // What the copy was made from: the flags, and the names of segments.
  const involved = (documents: readonly Document[]) => {
    const { flags, segments } = byKind(documents);
    const names = segments.map(({ id, name, isArchived, isDeleted }) => [id, name, isArchived, isDeleted]);
    return JSON.stringify([flags.filter(({ key }) => keys.includes(key)), names]);
  };
  const written = await write({ ...session, environment: async () => target }, (envId) =>
    store.documents.writeAll(envId, (all) => {
      if (involved(all) !== involved(present.documents))
        throw new Conflict(`environment "${target.name}" was changed meanwhile; repeat the command`);
      return wanted;
    }),
  );
  const changes = changesJson(written);
  const details = session.isVerbose ? ` (version ${changes.at(-1)?.updatedAt}, table ${session.table})` : '';
  session.result(
    { documents: copied, changes },
    `✓ copied ${copied.map(({ name }) => name).join(', ')} from ${source.name} to ${target.name}${details}; to take it back: ${undoHint(session, written, target.name)}`,
  );
}

function copiedDocuments(
  wanted: readonly Document[],
  source: CopyEnvironment,
  target: CopyEnvironment,
): CopiedDocument[] {
  const before = new Map(withoutDeleted(target.documents).map((document) => [documentName(document), document]));
  const segmentName = segmentNames(source, target);
  return wanted.flatMap((document): CopiedDocument[] => {
    const earlier = before.get(documentName(document));
    const changes = changesOf(earlier, document, segmentName);
    if (changes.length === 0) return [];
    const name = documentTitle(document);
    const lines = changes.map((change) =>
      earlier ? changeText(change, Number.POSITIVE_INFINITY) : `${change.label}: ${change.after || 'none'}`,
    );
    return [{ name, isNew: !earlier, lines }];
  });
}
