import { useState } from 'preact/hooks';
import { counted } from '../../../../shared/describe/servedText.ts';
import type { VersionedSegment } from '../../../api.ts';
import { Badge, EmptyState, Heading } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { Choice, SearchInput } from '../../../ui/field.tsx';
import { Plus } from '../../../ui/icons.ts';
import { isFound, type State } from '../../logic/search.ts';
import { ChangedTime } from '../documents/changedTime.tsx';
import { segments, segmentUsers } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { linkTo } from '../state/route.ts';
import { may, useEnvironment } from '../state/session.ts';
import { FlagLinks } from './flagLinks.tsx';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

/** Maximum number of named flags that use a segment. */
const USERS_SHOWN = 3;

/** The segments of an environment. */
export function SegmentList() {
  const { id } = useEnvironment();
  return (
    <>
      <Heading title="Segments" lead="Groups of users that rules of several flags share.">
        <DialogButton
          text="New segment"
          icon={Plus}
          kind="primary"
          disabled={!may('editor', id)}
          dialog={(close) => <NewSegmentDialog onClose={close} />}
        />
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
        <Choice
          label="State"
          value={state}
          options={[{ value: 'all', text: 'any state' }, 'archived']}
          onChange={setState}
        />
      </search>
      <p class="hidden" aria-live="polite">
        {found.length === 1 ? '1 segment' : `${found.length} segments`}
      </p>
      <ul class="list segments">
        <li class="list-head" aria-hidden="true">
          <span>Segment</span>
          <span>Users</span>
          <span>Rules</span>
          <span>Used by</span>
          <span>Changed</span>
        </li>
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
  const hasDraft = draftOf(environment.id, stored) !== undefined;
  const keys = segmentUsers.value(id);
  return (
    <li>
      <div class="list-main">
        <a href={linkTo('segments', id)}>{name || id}</a>
        {(isArchived || hasDraft) && <Badge kind="warning">{isArchived ? 'archived' : 'unsaved'}</Badge>}
      </div>
      <span>
        {included.length} included{excluded.length > 0 && `, ${excluded.length} excluded`}
      </span>
      <span>{counted(rules.length, 'rule') || 'no rules'}</span>
      <span class="list-used">
        <FlagLinks keys={keys.slice(0, USERS_SHOWN)} none="no flag" />
        {keys.length > USERS_SHOWN && ` and ${keys.length - USERS_SHOWN} more`}
      </span>
      <span class="list-when">
        <ChangedTime version={stored.version} isInColumn />
      </span>
    </li>
  );
}
