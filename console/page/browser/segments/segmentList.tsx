import { useState } from 'preact/hooks';
import { counted } from '../../../../shared/describe/servedText.ts';
import type { VersionedSegment } from '../../../api.ts';
import { Badge, EmptyState, Heading } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { Choice, SearchInput } from '../../../ui/field.tsx';
import { isFound, type State } from '../../logic/search.ts';
import { ChangedTime } from '../documents/changedTime.tsx';
import { segments } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { linkTo } from '../state/route.ts';
import { useEnvironment } from '../state/session.ts';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

/** The segments of an environment. */
export function SegmentList() {
  return (
    <>
      <Heading title="Segments" lead="Groups of users that rules of several flags share.">
        <DialogButton text="New segment" kind="primary" dialog={(close) => <NewSegmentDialog onClose={close} />} />
      </Heading>
      {segments.value.length === 0 ? (
        <EmptyState title="No segments yet">
          <p>
            A segment is a group of users: those you include by user key, and those who match one of its rules, for
            example <code>email ends-with @acme.com</code>. You can exclude single users. A flag’s rule uses it with the
            condition <code>in segment Beta</code>.
          </p>
        </EmptyState>
      ) : (
        <FoundSegments />
      )}
    </>
  );
}

function FoundSegments() {
  const [words, setWords] = useState('');
  const [state, setState] = useState<State>('all');
  const found = segments.value.filter((each) => isFound(each, words, state));
  return (
    <>
      <search class="search">
        <SearchInput label="Search segments" placeholder="Search by name or id" value={words} onInput={setWords} />
        <Choice label="State" value={state} options={['all', 'archived']} onChange={setState} />
      </search>
      <p class="hidden" aria-live="polite">
        {found.length === 1 ? '1 segment' : `${found.length} segments`}
      </p>
      <ul class="list">
        {found.map((stored) => (
          <SegmentItem key={stored.document.id} stored={stored} />
        ))}
      </ul>
      {found.length === 0 && <p class="hint">No segment matches.</p>}
    </>
  );
}

function SegmentItem({ stored }: { readonly stored: VersionedSegment }) {
  const environment = useEnvironment();
  const { id, name, included, excluded, rules, isArchived } = stored.document;
  return (
    <li>
      <div class="list-main">
        <a href={linkTo('segments', id)}>{name || id}</a>
      </div>
      <div class="list-about">
        <Badge>{counted(included.length, 'included user')}</Badge>
        {excluded.length > 0 && <Badge>{excluded.length} excluded</Badge>}
        <Badge>{counted(rules.length, 'rule')}</Badge>
        {isArchived && <Badge kind="warning">archived</Badge>}
        {draftOf(environment.id, stored) && <Badge kind="warning">unsaved</Badge>}
      </div>
      <span class="list-when">
        <ChangedTime version={stored.version} />
      </span>
    </li>
  );
}
