import { useState } from 'preact/hooks';
import { counted } from '../../../../shared/evaluation/servedText.ts';
import type { EnvironmentName } from '../../../api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { ChangedTime } from '../documents/changedTime.tsx';
import { SearchedList } from '../documents/searchedList.tsx';
import { segments } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { linkTo } from '../state/route.ts';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

/** The segments of an environment. */
export function SegmentList({ environment }: { readonly environment: EnvironmentName }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Segments" lead="Groups of users that rules of several flags share.">
        <Button text="New segment" kind="primary" onClick={() => setAdding(true)} />
      </Heading>
      {isAdding && <NewSegmentDialog environment={environment} onClose={() => setAdding(false)} />}
      {segments.value.length === 0 ? (
        <EmptyState title="No segments yet">
          <p>
            A segment is a group of users: those you include by user key, and those who match one of its rules, for
            example <code>email ends-with @acme.com</code>. You can exclude single users. A flag’s rule uses it with the
            condition <code>in segment Beta</code>.
          </p>
        </EmptyState>
      ) : (
        <SearchedList
          documents={segments.value}
          kind="segment"
          by="name or id"
          states={['all', 'archived']}
          item={(stored) => <SegmentItem key={stored.document.id} environment={environment} stored={stored} />}
        />
      )}
    </>
  );
}

interface SegmentItemProps {
  readonly environment: EnvironmentName;
  readonly stored: (typeof segments.value)[number];
}

function SegmentItem({ environment, stored }: SegmentItemProps) {
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
