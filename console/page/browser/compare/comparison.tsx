import { useEffect, useMemo, useState } from 'preact/hooks';
import { compareFlags, type FlagComparison } from '../../../../shared/evaluation/compareFlags.ts';
import { COPY_DOCUMENTS, type EnvironmentContent, type EnvironmentName, type VersionedDocument } from '../../../api.ts';
import { flagCount } from '../../../flagBatch.ts';
import { Badge } from '../../../ui/badge.tsx';
import { formatRoute } from '../../logic/route.ts';
import { hasWords } from '../../logic/search.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';
import { ChangeTable } from '../documents/changeTable.tsx';
import { Section } from '../documents/section.tsx';
import { content } from '../state/content.ts';
import { CopyDialog } from './copyDialog.tsx';

interface ComparisonProps {
  readonly source: EnvironmentName;
  readonly target: EnvironmentName;
}

/** The flags that differ between another environment and the one that is looked at; selected ones are copied from the other. */
export function Comparison({ source, target }: ComparisonProps) {
  const [sourceContent, setSourceContent] = useState<EnvironmentContent>();
  const [problem, setProblem] = useState<string>();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isCopying, setCopying] = useState(false);
  const [words, setWords] = useState('');
  const read = async () => {
    try {
      setSourceContent(await request('GET environments/:env', { of: { env: source.id } }));
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => void read(), []);
  const targetContent = content.value;
  const all = useMemo(
    () =>
      sourceContent && targetContent
        ? compareFlags(
            { name: source.name, documents: sourceContent.documents },
            { name: target.name, documents: targetContent.documents },
          )
        : [],
    [sourceContent, targetContent],
  );
  if (!sourceContent) {
    return problem ? (
      <p class="notice bad" role="alert">
        {problem}
      </p>
    ) : (
      <p class="hint">Reading {source.name} …</p>
    );
  }

  const differing = all.filter(({ state }) => state !== 'same');
  const flagsWithWords = (documents: readonly VersionedDocument[]) =>
    documents.flatMap((each) => (each.kind === 'flag' && hasWords(each, words) ? each.document.key : []));
  const withWords = new Set([sourceContent, targetContent].flatMap((each) => flagsWithWords(each?.documents ?? [])));
  const found = differing.filter(({ key }) => withWords.has(key));
  const copyable = found.filter(isCopyable).map(({ key }) => key);
  const atOnce = copyable.slice(0, COPY_DOCUMENTS);
  const chosen = copyable.filter((key) => selected.includes(key));
  const mayCopy = chosen.length > 0 && chosen.length <= COPY_DOCUMENTS;
  const toggle = (key: string) =>
    setSelected(selected.includes(key) ? selected.filter((each) => each !== key) : [...selected, key]);
  return (
    <Section
      title="Flags"
      about={`${differing.length} of ${all.length} flags differ.`}
      actions={
        <div class="actions">
          <button type="button" onClick={() => void read()}>
            Refresh
          </button>
          {copyable.length > 0 && (
            <button type="button" onClick={() => setSelected(chosen.length >= atOnce.length ? [] : atOnce)}>
              {chosen.length >= atOnce.length
                ? 'Select none'
                : `Select ${atOnce.length === copyable.length ? 'all' : `the first ${atOnce.length}`}`}
            </button>
          )}
          <button type="button" class="primary" disabled={!mayCopy} onClick={() => setCopying(true)}>
            Copy {chosen.length} to {target.name}
          </button>
        </div>
      }
    >
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {differing.length === 0 ? (
        <p>The flags of both environments are the same.</p>
      ) : (
        <p class="hint">
          {!differing.some(isCopyable) && `None of these flags can be copied to ${target.name}. `}
          <a href={formatRoute({ envId: source.id, view: 'compare', id: target.id })}>Copy to {source.name} instead</a>
        </p>
      )}
      {differing.length > 5 && (
        <search class="search">
          <input
            type="search"
            aria-label="Search flags"
            placeholder="Search by key, name or tag"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
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
            texts={{
              ...STATE_TEXTS,
              'only in source': `only in ${source.name}`,
              'only in target': `only in ${target.name}`,
            }}
            isSelected={chosen.includes(each.key)}
            onToggle={() => toggle(each.key)}
          />
        ))}
      </ul>
      {isCopying && (
        <CopyDialog
          keys={chosen}
          source={{ name: source.name, documents: sourceContent.documents }}
          environment={target}
          onCopied={() => setSelected([])}
          onClose={() => setCopying(false)}
        />
      )}
    </Section>
  );
}

const STATE_TEXTS = { different: 'different', same: 'same' };

function isCopyable({ state, problem }: FlagComparison): boolean {
  return problem === undefined && (state === 'different' || state === 'only in source');
}

interface ComparedFlagProps {
  readonly compared: FlagComparison;
  readonly texts: Readonly<Record<FlagComparison['state'], string>>;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

function ComparedFlag({ compared, texts, isSelected, onToggle }: ComparedFlagProps) {
  const { key, state, changes, problem } = compared;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <input
        type="checkbox"
        aria-label={`Copy ${key}`}
        checked={isSelected}
        disabled={!isCopyable(compared)}
        onChange={onToggle}
      />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="result-key">{key}</span>
          <Badge kind={state === 'different' ? 'warning' : 'plain'}>{texts[state]}</Badge>
          {changes.length > 0 && (
            <span>
              {changes.length} {changes.length === 1 ? 'setting' : 'settings'}
            </span>
          )}
        </summary>
        {problem && <p>{problem}</p>}
        {/* Drawn when it is looked at: there may be thousands. */}
        {isOpen && changes.length > 0 && <ChangeTable changes={changes} label={`What copying changes of ${key}`} />}
        {isOpen && state === 'only in target' && <p>Nothing to copy.</p>}
      </details>
    </li>
  );
}
