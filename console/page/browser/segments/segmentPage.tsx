import { referencedSegments } from '../../../../shared/evaluation/flag.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { excluding, including, leavingToRules } from '../../../../shared/flags/segmentEdits.ts';
import type { EnvironmentName } from '../../../api.ts';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { TextList } from '../../../ui/textList.tsx';
import { Time } from '../../../ui/time.tsx';
import { DraftBar } from '../documents/draftBar.tsx';
import { GeneralSection } from '../documents/generalSection.tsx';
import { Section } from '../documents/section.tsx';
import { ChangeList } from '../history/changeList.tsx';
import { find, flags, isDeleted } from '../state/content.ts';
import { draftOf, edit } from '../state/drafts.ts';
import { ask } from '../state/review.ts';
import { linkTo } from '../state/route.ts';
import { SegmentActions } from './segmentActions.tsx';
import { SegmentRules } from './segmentRules.tsx';

interface SegmentPageProps {
  readonly environment: EnvironmentName;
  readonly id: string;
}

/** A segment: who belongs to it, and which flags ask. */
export function SegmentPage({ environment, id }: SegmentPageProps) {
  const stored = find('segment', id);
  if (stored?.kind !== 'segment') {
    return (
      <EmptyState title={isDeleted('segment', id) ? 'The segment was deleted' : 'There is no such segment'}>
        {isDeleted('segment', id) && <a href={linkTo('history')}>Undo it in the history</a>}
        <a href={linkTo('segments')}>All segments</a>
      </EmptyState>
    );
  }
  const draft = draftOf(environment.id, stored);
  const segment = (draft?.document.document as Segment | undefined) ?? stored.document;
  const base = draft?.base ?? stored;
  const change = (document: Segment) => edit(environment.id, base, { kind: 'segment', document });
  const users = flags.value.filter(({ document }) => !document.isArchived && referencedSegments(document).has(id));
  const isUsed = users.length > 0 && !segment.isArchived;
  const { isArchived } = segment;
  const archive = () =>
    ask({
      title: `${isArchived ? 'Restore' : 'Archive'} ${segment.name}`,
      base,
      document: { kind: 'segment', document: { ...segment, isArchived: !isArchived } },
    });
  return (
    <>
      <p class="up">
        <a href={linkTo('segments')}>← All segments</a>
      </p>
      <Heading
        title={segment.name || id}
        lead={
          <>
            <code>{id}</code> changed <Time at={stored.version} />
          </>
        }
      >
        <button type="button" disabled={isUsed} onClick={archive}>
          {isArchived ? 'Restore' : 'Archive'}
        </button>
        <SegmentActions environment={environment} stored={stored} isUsed={users.length > 0} />
      </Heading>
      <p>
        {users.length === 0 ? 'No flag asks about it.' : 'These flags ask about it, and so it cannot be archived: '}
        {users.map(({ document: { key } }, index) => (
          <>
            {index > 0 && ', '}
            <a href={linkTo('flags', key)}>{key}</a>
          </>
        ))}
      </p>
      <Members segment={segment} onChange={change} />
      <SegmentRules segment={segment} onChange={change} />
      <GeneralSection document={segment} onChange={change} />
      <ChangeList environment={environment} of={{ kind: 'segment', id }} title="History of this segment" />
      <DraftBar envId={environment.id} name={segment.name} stored={stored} draft={draft} />
    </>
  );
}

const LISTS = [
  { title: 'Included', list: 'included', put: including },
  { title: 'Excluded', list: 'excluded', put: excluding },
] as const;

function Members({ segment, onChange }: { readonly segment: Segment; readonly onChange: (segment: Segment) => void }) {
  const change = (put: typeof including, before: readonly string[], after: readonly string[]) => {
    const removed = before.filter((keyId) => !after.includes(keyId));
    const added = after.filter((keyId) => !before.includes(keyId));
    onChange(put(leavingToRules(segment, removed), added));
  };
  return (
    <Section title="Individual users" about="By key id, whatever the rules say.">
      <div class="targets">
        {LISTS.map(({ title, list, put }) => (
          <div key={list}>
            <p class="label">{title}</p>
            <TextList
              label={`${list} users`}
              items={segment[list]}
              placeholder="key id"
              disabled={segment.isArchived}
              onChange={(after) => change(put, segment[list], after)}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
