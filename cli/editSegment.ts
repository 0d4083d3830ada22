import type { Document } from '../shared/flags/document.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { findSegment } from '../shared/flags/segmentEdits.ts';
import type { StoredDocument } from '../shared/store/documents/item.ts';
import { NotFound } from '../shared/store/table/errors.ts';
import { CliError } from './io.ts';
import { write } from './largeEnvironment.ts';
import type { Session } from './session.ts';

/** Finds a segment of the chosen environment, archived or not, by its name or id. */
export async function readSegment(session: Session, named: string): Promise<Segment> {
  return findSegment(await session.documents<Segment>('segment', 'with deleted'), named);
}

/** Reads the names of segments, also of deleted ones. @returns the name for an id, else the id */
export async function readSegmentNames(session: Session): Promise<(id: string) => string> {
  const segments = await session.documents<Segment>('segment', 'with deleted');
  const names = new Map(segments.map(({ id, name }) => [id, name]));
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
