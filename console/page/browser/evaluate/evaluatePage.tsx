import { useState } from 'preact/hooks';
import { explainFlag } from '../../../../shared/describe/explain.ts';
import { Heading, Section } from '../../../ui/blocks.tsx';
import { Field, SearchInput } from '../../../ui/field.tsx';
import { useRowsOnDemand } from '../../../ui/rowsOnDemand.ts';
import { formatZoned } from '../../../ui/zoned.ts';
import { isFound } from '../../logic/search.ts';
import { content, flagsIn, segmentsIn } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { Result } from './result.tsx';
import { endOfSecond, usePast } from './usePast.ts';
import { testUser, UserForm, userOf } from './userForm.tsx';

/**
 * The variation that each flag, or one named flag, serves a user, and the reason. The browser evaluates it, as SDKs
 * and servers do.
 */
export function EvaluatePage({ flagKey }: { readonly flagKey?: string | undefined }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState<number>();
  const past = usePast(content.value?.environment.id ?? '', at);
  const user = userOf(testUser.value);
  const shown = at === undefined ? content.value?.documents : past?.documents;
  const flags = flagsIn(shown ?? []);
  const documents = segmentsIn(shown ?? []).map(({ document }) => document);
  const found = flags.filter((flag) =>
    flagKey === undefined ? isFound(flag, words, 'all') : flag.document.key === flagKey,
  );
  const { rows, end } = useRowsOnDemand(found.length);
  return (
    <>
      <Heading title="Evaluate" lead="Enter a user to see which variation each flag serves, and why." />
      <Section title="User">
        <UserForm />
        <Field
          label={`At (${Intl.DateTimeFormat().resolvedOptions().timeZone}, optional)`}
          hint="Evaluates with the flags and segments of that time, as far as the history goes back. Empty: now."
          problem={past?.failure}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              step={1}
              onInput={(event) => setAt(endOfSecond(event.currentTarget.value, Date.now()))}
            />
          )}
        </Field>
      </Section>
      <Section
        title={flagKey === undefined ? 'Results' : `Result of ${flagKey}`}
        actions={flagKey !== undefined && <a href={linkTo('evaluate')}>All flags</a>}
      >
        {flagKey === undefined && flags.length > 5 && (
          <search class="search">
            <SearchInput label="Search flags" placeholder="Search flags" value={words} onInput={setWords} />
          </search>
        )}
        {at !== undefined && (
          <p class="hint" role="status">
            {past ? pastText(past.version) : 'Reading the history …'}
          </p>
        )}
        {!user && <p class="notice warning">Enter a user key.</p>}
        {user && (
          <ul class="results" aria-live="polite">
            {found.slice(0, rows).map(({ document }) => (
              <Result
                key={document.key}
                flag={document}
                keyId={user.keyId}
                explanation={explainFlag(document, user, documents)}
                isOpen={flagKey !== undefined}
              />
            ))}
          </ul>
        )}
        <div ref={end} />
        {shown && found.length === 0 && <p class="hint">No flag matches.</p>}
      </Section>
    </>
  );
}

function pastText(version: number | undefined) {
  if (version === undefined) return 'The flags of that time are not known.';
  if (version === 0) return 'The time is before the first change.';
  return `Evaluated with the version of ${formatZoned(version)}.`;
}
