import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { isFound, STATES, type State } from '../../logic/search.ts';
import { flags } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { linkTo } from '../state/route.ts';
import { Badge } from '../ui/badge.tsx';
import { Heading } from '../ui/heading.tsx';
import { SearchBar } from '../ui/searchBar.tsx';
import { Time } from '../ui/time.tsx';
import { FirstSteps } from './firstSteps.tsx';
import { FlagSwitch } from './flagSwitch.tsx';
import { NewFlagDialog } from './newFlagDialog.tsx';

/** The flags of an environment. */
export function FlagList({ environment }: { readonly environment: EnvironmentName }) {
  const [words, setWords] = useState('');
  const [state, setState] = useState<State>('all');
  const [isAdding, setAdding] = useState(false);
  const found = flags.value.filter((flag) => isFound(flag, words, state));
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
        <>
          <SearchBar
            label="Search flags"
            placeholder="Search by key, name or tag"
            words={words}
            onWords={setWords}
            state={state}
            states={STATES}
            onState={setState}
          />
          <p class="hidden" aria-live="polite">
            {found.length} flags
          </p>
          <ul class="list">
            {found.map((stored) => {
              const { key, name, variationType, tags, isArchived } = stored.document;
              return (
                <li key={key}>
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
                        onClick={() => setWords(tag)}
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
            })}
          </ul>
          {found.length === 0 && <p class="hint">No flag fits that.</p>}
        </>
      )}
    </>
  );
}
