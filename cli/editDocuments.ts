import { deletionText } from '../shared/flags/deletion.ts';
import { byKind, type Document, formatName } from '../shared/flags/document.ts';
import { findSegment } from '../shared/flags/edits/segmentEdits.ts';
import type { Flag } from '../shared/flags/flag.ts';
import { didYouMean } from '../shared/flags/nearest.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { requireDocument, type StoredDocument } from '../shared/store/documents/item.ts';
import { NotFound } from '../shared/store/table/errors.ts';
import { CliError } from './io.ts';
import type { Session } from './session.ts';
import { write } from './write.ts';

/** Changes a flag of the chosen environment. See `Documents.writeFlag`. */
export function editFlag(
  session: Session,
  key: string,
  change: (flag: Flag | undefined) => Flag,
): Promise<StoredDocument[]> {
  return write(session, (envId) => session.store.documents.writeFlag(envId, key, change));
}

/** Reads a flag of the chosen environment, archived or not. @throws {NotFound} */
export async function findFlag(session: Session, key: string): Promise<Flag> {
  const all = await session.documents<Flag>('flag', 'with deleted');
  const flag = all.find((candidate) => candidate.key === key);
  if (!flag || flag.isDeleted) throw noFlag(key, flag, all);
  return flag;
}

/** Changes an existing flag. An archived flag is refused, because its change would have no effect. */
export function editActive(session: Session, key: string, change: (flag: Flag) => Flag): Promise<StoredDocument[]> {
  return editFlags(session, [key], (flag) => change(requireActive(flag)));
}

/**
 * Changes several existing flags as one change: all of them or none.
 *
 * @throws {CliError} with each flag that cannot be changed
 */
export function editFlags(
  session: Session,
  keys: readonly string[],
  change: (flag: Flag) => Flag,
): Promise<StoredDocument[]> {
  const wanted = [...new Set(keys)];
  return write(session, (envId) =>
    session.store.documents.writeAll(envId, (all, unreadable) => {
      const stored = new Map(byKind(all).flags.map((flag) => [flag.key, flag]));
      const refusals: Error[] = [];
      const changed = wanted.flatMap((key): Document[] => {
        try {
          const flag = stored.get(key);
          if (!flag || flag.isDeleted)
            throw unreadable.get(formatName({ kind: 'flag', id: key })) ?? noFlag(key, flag, [...stored.values()]);
          return [{ kind: 'flag', document: change(flag) }];
        } catch (error) {
          refusals.push(error as Error);
          return [];
        }
      });
      const [only] = refusals;
      if (only && wanted.length === 1) throw only;
      if (only)
        throw new CliError(
          'nothing was changed:',
          refusals.map(({ message }) => message),
        );
      return changed;
    }),
  );
}

/** Refuses an archived flag. @throws {CliError} */
export function requireActive(flag: Flag): Flag {
  const { key, isArchived } = flag;
  if (isArchived) throw new CliError(`flag "${key}" is archived and cannot be changed; first: restore ${key}`);
  return flag;
}

/** Finds the id of a segment of the chosen environment by its name or id. The segment must not be archived. */
export async function segmentIds(session: Session): Promise<(named: string) => string> {
  const segments = await session.documents<Segment>('segment', 'with deleted');
  return (named) => {
    const { id, isArchived } = findSegment(segments, named);
    if (isArchived) throw new CliError(`segment "${named}" is archived; first: segment restore ${named}`);
    return id;
  };
}

/** The error for an unknown or deleted key. @param all the flags of the environment, for a suggestion */
export function noFlag(key: string, deleted: Flag | undefined, all: readonly Flag[] = []): NotFound {
  if (deleted) return new NotFound(`${deletionText(`flag "${key}"`, deleted)}; \`list\` shows all flags`);
  const existing = all.filter(({ isDeleted }) => !isDeleted).map((flag) => flag.key);
  const suggestion = didYouMean(key, existing) || '; `list` shows all flags';
  return new NotFound(`there is no flag "${key}"${suggestion}`);
}

/** Finds a segment of the chosen environment, archived or not, by its name or id. */
export async function readSegment(session: Session, named: string): Promise<Segment> {
  return findSegment(await session.documents<Segment>('segment', 'with deleted'), named);
}

/** Reads the names of all segments of an environment, by default the chosen one. @returns the name for an id, else the id */
export async function readSegmentNames(session: Session, envId?: string): Promise<(id: string) => string> {
  const stored = await session.store.documents.load(envId ?? (await session.environment()).id);
  const segments = stored.filter(({ kind }) => kind === 'segment').map((each) => requireDocument(each).document);
  const names = new Map(segments.map((segment) => [segment.id, segment.name]));
  return (id) => names.get(id) ?? id;
}

/** Changes a segment of the chosen environment, archived or not, by its name or id. See `Documents.writeSegment`. */
export async function editSegment(
  session: Session,
  named: string,
  change: (segment: Segment, all: readonly Document[]) => Segment,
): Promise<StoredDocument[]> {
  const { id } = await readSegment(session, named);
  return write(session, (envId) =>
    session.store.documents.writeSegment(envId, id, (current, all) => {
      if (!current) throw new NotFound(`there is no segment "${named}"; \`segment list\` shows all segments`);
      return change(current, all);
    }),
  );
}

/** Changes a segment that is not archived. */
export function editActiveSegment(
  session: Session,
  named: string,
  change: (segment: Segment) => Segment,
): Promise<StoredDocument[]> {
  return editSegment(session, named, (segment) => {
    if (segment.isArchived) throw new CliError(`segment "${named}" is archived; first: segment restore ${named}`);
    return change(segment);
  });
}
