import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { Time } from '../../../ui/time.tsx';
import { STATES } from '../../logic/search.ts';
import { SearchedList } from '../documents/searchedList.tsx';
import { flags } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { linkTo } from '../state/route.ts';
import { FirstSteps } from './firstSteps.tsx';
import { FlagSwitch } from './flagSwitch.tsx';
import { NewFlagDialog } from './newFlagDialog.tsx';

/** The flags of an environment. */
export function FlagList({ environment }: { readonly environment: EnvironmentName }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Flags">
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          New flag
        </button>
      </Heading>
      {isAdding && <NewFlagDialog onClose={() => setAdding(false)} />}
      {flags.value.length === 0 ? (
        <FirstSteps environment={environment} onNew={() => setAdding(true)} />
      ) : (
        <SearchedList
          documents={flags.value}
          kind="flag"
          by="key, name or tag"
          states={STATES}
          item={(stored, search) => (
            <FlagItem key={stored.document.key} environment={environment} stored={stored} onSearch={search} />
          )}
        />
      )}
    </>
  );
}

interface FlagItemProps {
  readonly environment: EnvironmentName;
  readonly stored: (typeof flags.value)[number];
  readonly onSearch: (words: string) => void;
}

function FlagItem({ environment, stored, onSearch }: FlagItemProps) {
  const { key, name, variationType, tags, isArchived } = stored.document;
  return (
    <li>
      <div class="list-main">
        <a href={linkTo('flags', key)}>{name || key}</a>
        {name !== '' && name !== key && <code>{key}</code>}
      </div>
      <div class="list-about">
        <Badge>{variationType}</Badge>
        {tags.map((tag) => (
          <button
            type="button"
            key={tag}
            class="tag"
            aria-label={`Search for tag ${tag}`}
            onClick={() => onSearch(tag)}
          >
            {tag}
          </button>
        ))}
        {draftOf(environment.id, stored) && <Badge kind="warning">unsaved</Badge>}
      </div>
      <span class="list-when">
        <Time at={stored.version} />
      </span>
      {isArchived ? <Badge kind="warning">archived</Badge> : <FlagSwitch stored={stored} />}
    </li>
  );
}
