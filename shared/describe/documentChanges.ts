import type { Document } from '../flags/document.ts';
import { shortened } from '../flags/texts.ts';
import { type Difference, differences } from './difference.ts';
import { type Fact, factsOfFlag, factsOfSegment, type SegmentName } from './documentFacts.ts';

/** A change to one fact of a document. A missing side is undefined. */
export interface Change {
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A change as one line: `Switch: off → on`. @param limit characters of a value that are shown: a list of users has thousands */
export function changeText({ label, before, after }: Change, limit = 200): string {
  const shown = (text: string | undefined) => (text ? shortened(text, limit) : 'none');
  return `${label}: ${shown(before)} → ${shown(after)}`;
}

/** A document, or undefined before its creation. */
type Maybe = Document | undefined;

/**
 * The changes of a document, in words. Fields without words, such as custom ones, are shown as stored, so that every
 * change is visible.
 */
export function changesOf(before: Maybe, after: Document, segmentName: SegmentName = (id) => id): Change[] {
  const [earlier, later] = [factsOf(before, segmentName), factsOf(after, segmentName)];
  const [then, now] = [comparable(earlier, later), comparable(later, earlier)];
  const changes = [...new Set([...now.keys(), ...then.keys()])].flatMap((about): Change[] => {
    const [was, is] = [then.get(about), now.get(about)];
    const goesWithoutSaying = !before && (is?.text === '' || about === 'isArchived');
    if (isSame(was, is) || goesWithoutSaying) return [];
    // Percentages on one side are compared with percentages on the other.
    const inPercent = [was, is].some((each) => each && each.text === each.textInPercent);
    const textOfFact = (each: Fact | undefined) => (inPercent ? each?.textInPercent : undefined) ?? each?.text;
    return [{ label: (is ?? was)?.label ?? '', before: textOfFact(was), after: textOfFact(is) }];
  });
  return [...changes, ...rawChanges(before, after, changes.length > 0)];
}

/** The changes field by field as stored. @param said whether those of fields with words are left out */
function rawChanges(before: Maybe, after: Document, said: boolean): Change[] {
  if (!before) return [];
  const fields = ({ document }: Document) =>
    Object.fromEntries(Object.entries(document).filter(([name]) => !said || !COVERED[after.kind].includes(name)));
  return differences(fields(before), fields(after)).map(({ path, before: was, after: is }: Difference) => ({
    label: path,
    before: textOf(was),
    after: textOf(is),
  }));
}

const COVERED: Readonly<Record<Document['kind'], readonly string[]>> = {
  flag: [
    'id',
    'isArchived',
    'isDeleted',
    'isEnabled',
    'name',
    'description',
    'variationType',
    'tags',
    'variations',
    'disabledVariationId',
    'targetUsers',
    'rules',
    'fallthrough',
    'exptIncludeAllTargets',
  ],
  segment: ['isArchived', 'isDeleted', 'name', 'description', 'included', 'excluded', 'rules'],
};

function factsOf(document: Maybe, segmentName: SegmentName): Fact[] {
  if (!document) return [];
  return document.kind === 'flag' ? factsOfFlag(document.document, segmentName) : factsOfSegment(document.document);
}

/** Facts by what they are about. Those with parts that exist on the other side too are replaced by their parts. */
function comparable(facts: readonly Fact[], others: readonly Fact[]): Map<string, Fact> {
  const known = new Set(others.map(({ about }) => about));
  const all = facts.flatMap((fact) => (fact.parts && known.has(fact.about) ? fact.parts : [fact]));
  return new Map(all.map((fact) => [fact.about, fact]));
}

/** Items of an ordered list that are removed or appended are facts of their own, and do not change the order. */
function isSame(was: Fact | undefined, is: Fact | undefined): boolean {
  const [before, after] = [new Set(was?.ids), new Set(is?.ids)];
  const unmoved = [...[...before].filter((id) => after.has(id)), ...[...after].filter((id) => !before.has(id))];
  return is?.ids ? unmoved.join() === [...after].join() : was?.text === is?.text;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
