import { isSame } from '../../shared/flags/content.ts';
import { formatName } from '../../shared/flags/document.ts';
import { contentOf } from '../../shared/store/documents/item.ts';
import type { Change } from '../../shared/store/history/history.ts';
import type { ConfirmOptions } from '../confirmProduction.ts';
import { CliError } from '../io.ts';
import type { Session } from '../session.ts';
import { counted } from '../text.ts';
import { entryLines } from './historyCommands.ts';

/** Changes that are read to find the last import with a commit. Where there are more, all of them count as later. */
const READ_CHANGES = 1_000;

type Document = Change['documents'][number];

/**
 * Names the changes that an import would overwrite although its file cannot contain them: those made otherwise since the last import
 * with a commit. A change that was taken back since then is not lost.
 *
 * @param names the documents that the import changes
 * @returns how many there are
 */
export async function noteOtherChanges(session: Session, names: ReadonlySet<string>): Promise<number> {
  const changes = await findOtherChanges(session, names);
  for (const change of changes) {
    const lines = entryLines(session, change);
    session.note(`would overwrite: ${lines.map((line) => line.trim()).join(' · ')}`);
  }
  return changes.length;
}

async function findOtherChanges(session: Session, names: ReadonlySet<string>): Promise<Change[]> {
  const { id } = await session.environment();
  const found: Change[] = [];
  const ends = new Map<string, Pick<Document, 'before' | 'after'>>();
  let [read, isSinceImport] = [0, false];
  for await (const change of session.store.history.changes(id)) {
    isSinceImport = change.commit !== undefined || ++read > READ_CHANGES;
    if (isSinceImport) break;
    const documents = change.documents.filter((document) => names.has(formatName(document)));
    if (documents.length > 0) found.push({ ...change, documents });
    for (const document of documents) {
      const name = formatName(document);
      ends.set(name, { before: document.before, after: (ends.get(name) ?? document).after });
    }
  }
  if (!isSinceImport) return [];
  const isLost = (document: Document) => {
    const { before, after } = ends.get(formatName(document)) ?? document;
    const [was, is] = [contentOf(before), contentOf(after)];
    return !was || !is || !isSame(was, is);
  };
  return found.filter(({ documents }) => documents.some(isLost));
}

/**
 * Asks whether to overwrite changes that {@link noteOtherChanges} has named.
 *
 * @throws {CliError} if the operator does not want it, or cannot be asked and has not set `--yes`
 */
export async function confirmOverwrite({ ask }: Session, changes: number, options: ConfirmOptions): Promise<void> {
  if (changes === 0 || options.yes) return;
  const what = counted(changes, 'change');
  if (!ask) {
    throw new CliError(
      `${what} since the last import with a commit would be overwritten; nothing was imported. ` +
        'Put into the file what has to stay, or add --yes to overwrite',
    );
  }
  if (/^y(es)?$/i.test((await ask(`Overwrite ${what} made since the last import with a commit? (y/N) `)).trim()))
    return;
  throw new CliError('nothing was imported');
}
