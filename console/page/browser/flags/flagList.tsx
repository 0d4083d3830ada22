import { useState } from 'preact/hooks';
import { servedText } from '../../../../shared/describe/servedText.ts';
import type { VersionedFlag } from '../../../api.ts';
import { elsewhereText } from '../../../elsewhere.ts';
import type { BatchEdit } from '../../../flagBatch.ts';
import { Badge, Heading } from '../../../ui/blocks.tsx';
import { Button, DialogButton } from '../../../ui/button.tsx';
import { Plus } from '../../../ui/icons.ts';
import { useRowsOnDemand } from '../../../ui/rowsOnDemand.ts';
import {
  ALL_FLAGS,
  type FlagSearch,
  findFlags,
  formatFlagSearch,
  foundText,
  parseFlagSearch,
  shownName,
} from '../../logic/search.ts';
import { ChangedTime } from '../documents/changedTime.tsx';
import { flags } from '../state/content.ts';
import { draftOf } from '../state/drafts.ts';
import { useElsewhere } from '../state/elsewhere.ts';
import { linkTo, redirect, route } from '../state/route.ts';
import { placeHere, useKeptPlace } from '../state/scroll.ts';
import { may, useEnvironment } from '../state/session.ts';
import { BatchBar, BatchDialog } from './batchDialog.tsx';
import { FirstSteps } from './firstSteps.tsx';
import { FlagFilters } from './flagFilters.tsx';
import { FlagSwitch } from './flagSwitch.tsx';
import { NewFlagDialog } from './newFlagDialog.tsx';

/** The flags of an environment that match the search in the address. */
export function FlagList() {
  const { id } = useEnvironment();
  return (
    <>
      <Heading title="Flags">
        <DialogButton
          text="New flag"
          icon={Plus}
          kind="primary"
          disabled={!may('editor', id)}
          dialog={(close) => <NewFlagDialog onClose={close} />}
        />
      </Heading>
      {flags.value.length === 0 ? <FirstSteps /> : <FoundFlags key={id} />}
    </>
  );
}

function FoundFlags() {
  const environment = useEnvironment();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [batch, setBatch] = useState<{ readonly kind: BatchEdit['kind']; readonly flags: readonly VersionedFlag[] }>();
  const search = parseFlagSearch(route.value.query);
  const found = findFlags(flags.value, search);
  const ofState = flags.value.filter(({ document }) => document.isArchived === (search.state === 'archived'));
  const chosen = found.filter(({ document }) => selected.has(document.key));
  const foundKeys = found.map(({ document }) => document.key);
  const others = useElsewhere();
  // The column does not wait for its texts, because rows would move.
  const hasElsewhere = others?.length !== 0;
  const { rows, end } = useRowsOnDemand(found.length, placeHere()?.rows);
  useKeptPlace(rows);

  const change = (changed: Partial<FlagSearch>) =>
    redirect({ ...route.value, id: undefined, query: formatFlagSearch({ ...search, ...changed }) });
  const select = (keys: readonly string[], isSelected: boolean) =>
    setSelected(new Set([...[...selected].filter((key) => !keys.includes(key)), ...(isSelected ? keys : [])]));
  return (
    <>
      <FlagFilters search={search} onChange={change} />
      <p class="list-count">
        <span aria-live="polite">{foundText(found.length, ofState.length)}</span>
        {formatFlagSearch({ ...search, sort: ALL_FLAGS.sort }) !== '' && (
          <Button text="Clear filters" kind="small" onClick={() => change({ ...ALL_FLAGS, sort: search.sort })} />
        )}
      </p>
      {found.length === 0 ? (
        <p class="hint">No flag matches.</p>
      ) : (
        <ul class={`list flags ${hasElsewhere ? 'elsewhere' : ''}`}>
          <li class="list-head">
            <label class="pick">
              <input
                type="checkbox"
                aria-label={`Select all ${found.length}`}
                disabled={!may('editor', environment.id)}
                checked={chosen.length === found.length}
                indeterminate={chosen.length > 0 && chosen.length < found.length}
                onChange={({ currentTarget }) => select(foundKeys, currentTarget.checked)}
              />
            </label>
            <span aria-hidden="true">Flag</span>
            <span aria-hidden="true">Serves</span>
            {hasElsewhere && <span aria-hidden="true">Other environments</span>}
            <span aria-hidden="true">Type and tags</span>
            <span aria-hidden="true">Changed</span>
          </li>
          {found.slice(0, rows).map((stored) => (
            <FlagItem
              key={stored.document.key}
              stored={stored}
              elsewhere={
                others && elsewhereText(others.map(({ name, states }) => [name, states.get(stored.document.key)]))
              }
              isSelected={selected.has(stored.document.key)}
              onSelect={(isSelected) => select([stored.document.key], isSelected)}
              onTag={(tag) => change({ tags: [...new Set([...search.tags, tag])] })}
            />
          ))}
        </ul>
      )}
      <div ref={end} />
      {chosen.length > 0 && (
        <BatchBar
          count={chosen.length}
          haveTags={chosen.some(({ document }) => document.tags.length > 0)}
          areArchived={search.state === 'archived'}
          onEdit={(kind) => setBatch({ kind, flags: chosen })}
          onClear={() => setSelected(new Set())}
        />
      )}
      {batch && (
        <BatchDialog
          {...batch}
          onClose={() => setBatch(undefined)}
          onDone={(failed) => {
            setBatch(undefined);
            setSelected(new Set(failed));
          }}
        />
      )}
    </>
  );
}

interface FlagItemProps {
  readonly stored: VersionedFlag;
  /** Its state in other environments. Undefined until it is read; empty if there are none. */
  readonly elsewhere: string | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onTag: (tag: string) => void;
}

function FlagItem({ stored, elsewhere, isSelected, onSelect, onTag }: FlagItemProps) {
  const environment = useEnvironment();
  const { key, name, variationType, tags, isArchived } = stored.document;
  return (
    <li>
      <label class="pick">
        <input
          type="checkbox"
          aria-label={`Select ${key}`}
          disabled={!may('editor', environment.id)}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      </label>
      <div class="list-main">
        <a href={linkTo('flags', key)}>{shownName(stored)}</a>
        {name !== '' && name !== key && <code>{key}</code>}
      </div>
      <span class="list-served">{servedText(stored.document)}</span>
      {elsewhere !== '' && <span class="list-elsewhere">{elsewhere}</span>}
      <div class="list-about">
        <Badge>{variationType}</Badge>
        {tags.map((tag) => (
          <button type="button" key={tag} class="tag" aria-label={`Filter by tag ${tag}`} onClick={() => onTag(tag)}>
            {tag}
          </button>
        ))}
        {draftOf(environment.id, stored) && <Badge kind="warning">unsaved</Badge>}
      </div>
      <span class="list-when">
        <ChangedTime version={stored.version} isInColumn />
      </span>
      {isArchived ? <Badge kind="warning">archived</Badge> : <FlagSwitch stored={stored} />}
    </li>
  );
}
