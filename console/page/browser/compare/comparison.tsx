import { useMemo, useRef, useState } from 'preact/hooks';
import { compareFlags, compareSegments, type FlagComparison } from '../../../../shared/describe/compareFlags.ts';
import { counted } from '../../../../shared/describe/servedText.ts';
import { hasWords } from '../../../../shared/flags/document.ts';
import type { EnvironmentContent, EnvironmentName, VersionedDocument } from '../../../api.ts';
import { COPY_DOCUMENTS, flagCount } from '../../../flagBatch.ts';
import { Alert, Badge, Section } from '../../../ui/blocks.tsx';
import { Button, DialogButton } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/field.tsx';
import { formatRoute, REVERSED } from '../../logic/route.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { ChangeTable } from '../documents/changeTable.tsx';
import { content, load } from '../state/content.ts';
import { may } from '../state/session.ts';
import { CopyDialog } from './copyDialog.tsx';

interface ComparisonProps {
  readonly current: EnvironmentName;
  readonly other: EnvironmentName;
  /** True if flags are copied to the current environment. */
  readonly isReversed: boolean;
}

/** The flags of two environments, as far as both are read, and a function that reads the target again. */
function useComparison({ current, other, isReversed }: ComparisonProps) {
  const [round, setRound] = useState(0);
  const asked = usePolled(() => request('GET environments/:env', { env: other.id }), [round], { everyMs: 120_000 });
  const last = useRef<EnvironmentContent | undefined>(undefined);
  if (asked?.documents) last.current = asked;
  const [source, target] = isReversed ? [other, current] : [current, other];
  const contents = [content.value, last.current];
  const [sourceContent, targetContent] = isReversed ? contents.toReversed() : contents;
  const from = { name: source.name, documents: sourceContent?.documents ?? [] };
  const to = { name: target.name, documents: targetContent?.documents ?? [] };
  const all = useMemo(() => compareFlags(from, to), [sourceContent, targetContent]);
  const segments = useMemo(() => compareSegments(from, to), [sourceContent, targetContent]);
  const readTarget = () => (isReversed ? void load(target.id) : setRound(round + 1));
  return { source, target, from, sourceContent, targetContent, all, segments, failure: asked?.failure, readTarget };
}

/** The flags that differ between two environments. Selected ones can be copied to the second. */
export function Comparison(props: ComparisonProps) {
  const { source, target, from, sourceContent, targetContent, all, segments, failure, readTarget } =
    useComparison(props);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  if (!sourceContent || !targetContent) {
    return failure ? <Alert text={failure} /> : <p class="hint">Reading {props.other.name} …</p>;
  }

  const differing = all.filter(({ state }) => state !== 'same');
  const flagsWithWords = (documents: readonly VersionedDocument[]) =>
    documents.flatMap((each) => (each.kind === 'flag' && hasWords(each, words) ? each.document.key : []));
  const withWords = new Set([sourceContent, targetContent].flatMap((each) => flagsWithWords(each.documents)));
  const found = differing.filter(({ key }) => withWords.has(key));
  const copyable = found.filter(isCopyable).map(({ key }) => key);
  const atOnce = copyable.slice(0, COPY_DOCUMENTS);
  const chosen = copyable.filter((key) => selected.includes(key));
  const mayCopy = chosen.length > 0 && chosen.length <= COPY_DOCUMENTS;
  const toggle = (key: string) =>
    setSelected(selected.includes(key) ? selected.filter((each) => each !== key) : [...selected, key]);
  const mayChange = may('editor', target.id);
  const selectHint = mayChange ? `Select those to copy to ${target.name}.` : `You may not change ${target.name}.`;
  const hint = copyable.length > 0 ? selectHint : '';
  return (
    <Section
      title={`${source.name} → ${target.name}`}
      about={`${differing.length} of ${all.length} flags differ. ${hint}`}
      actions={
        <div class="actions">
          <a class="button" title={`Copy to ${source.name} instead`} href={swapped(props)}>
            ⇄ Swap
          </a>
          {mayChange && copyable.length > 0 && (
            <Button
              text={
                chosen.length >= atOnce.length
                  ? 'Select none'
                  : `Select ${atOnce.length === copyable.length ? 'all' : `the first ${atOnce.length}`}`
              }
              onClick={() => setSelected(chosen.length >= atOnce.length ? [] : atOnce)}
            />
          )}
          <DialogButton
            text={`Copy ${chosen.length > 0 ? `${chosen.length} ` : ''}to ${target.name}`}
            kind="primary"
            disabled={!mayCopy || !mayChange}
            dialog={(close) => (
              <CopyDialog
                keys={chosen}
                source={from}
                target={targetContent}
                onStale={readTarget}
                onCopied={() => setSelected([])}
                onClose={close}
              />
            )}
          />
        </div>
      }
    >
      <Alert text={failure} />
      {differing.length === 0 && <p>The flags of both environments are the same.</p>}
      {differing.length > 0 && !differing.some(isCopyable) && (
        <p class="hint">None of these flags can be copied to {target.name}. Swap the direction.</p>
      )}
      {differing.length > 5 && (
        <search class="search">
          <SearchInput label="Search flags" placeholder="Search by key, name or tag" value={words} onInput={setWords} />
        </search>
      )}
      {(found.length < differing.length || copyable.length > COPY_DOCUMENTS) && (
        <p class="hint" aria-live="polite">
          {found.length < differing.length && `${found.length} of ${flagCount(differing.length)} found. `}
          {copyable.length > COPY_DOCUMENTS && `You can copy at most ${COPY_DOCUMENTS} flags and segments at once.`}
        </p>
      )}
      <ul class="results compared">
        {found.map((each) => (
          <ComparedFlag
            key={each.key}
            compared={each}
            sides={[source.name, target.name]}
            isSelected={chosen.includes(each.key)}
            {...(mayChange && { onToggle: () => toggle(each.key) })}
          />
        ))}
      </ul>
      {segments.length > 0 && (
        <>
          <h3>Segments that differ</h3>
          <p class="hint">A copy of flags creates missing segments, and leaves those that are there as they are.</p>
          <ul class="results compared">
            {segments.map((each) => (
              <ComparedFlag key={each.key} compared={each} sides={[source.name, target.name]} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** The address of the same comparison in the other direction. */
function swapped({ current, other, isReversed }: ComparisonProps): string {
  const query = isReversed ? undefined : REVERSED;
  return formatRoute({ envId: current.id, view: 'compare', id: other.id, query });
}

function isCopyable({ state, problem }: FlagComparison): boolean {
  return problem === undefined && (state === 'different' || state === 'only in source');
}

interface ComparedFlagProps {
  readonly compared: FlagComparison;
  /** The names of the environments. Copies go from the first to the second. */
  readonly sides: readonly [source: string, target: string];
  readonly isSelected?: boolean;
  /** Absent for a segment, which is not copied alone. */
  readonly onToggle?: () => void;
}

function ComparedFlag({ compared, sides, isSelected = false, onToggle }: ComparedFlagProps) {
  const { key, state, changes, problem } = compared;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      {onToggle && (
        <input
          type="checkbox"
          aria-label={`Copy ${key}`}
          checked={isSelected}
          disabled={!isCopyable(compared)}
          onChange={onToggle}
        />
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="result-key">{key}</span>
          <Badge kind={state === 'different' ? 'warning' : 'plain'}>
            {state.startsWith('only') ? `only in ${sides[state === 'only in source' ? 0 : 1]}` : state}
          </Badge>
          {changes.length > 0 && <span>{counted(changes.length, 'setting')}</span>}
        </summary>
        {problem && <p>{problem}</p>}
        {/* Drawn when it is looked at: there may be thousands. */}
        {isOpen && changes.length > 0 && (
          <ChangeTable
            changes={changes.map(({ label, before, after }) => ({ label, before: after, after: before }))}
            label={`How ${key} differs`}
            sides={sides}
          />
        )}
        {isOpen && onToggle && state === 'only in target' && <p>Nothing to copy.</p>}
      </details>
    </li>
  );
}
