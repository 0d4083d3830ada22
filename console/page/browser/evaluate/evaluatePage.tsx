import { useState } from 'preact/hooks';
import { type Explanation, explainFlag } from '../../../../shared/describe/explain.ts';
import { explanationLines } from '../../../../shared/describe/explanationText.ts';
import { sdkDifferenceLines } from '../../../../shared/describe/sdks/sdkDifferences.ts';
import { formatInvalidCondition } from '../../../../shared/evaluation/invalidCondition.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import type { PastContent } from '../../../api.ts';
import { Badge, Heading, Section } from '../../../ui/blocks.tsx';
import { Field, SearchInput } from '../../../ui/field.tsx';
import { useRowsOnDemand } from '../../../ui/rowsOnDemand.ts';
import { Time } from '../../../ui/time.tsx';
import { isFound } from '../../logic/search.ts';
import { messageOf, request } from '../api/request.ts';
import { once, usePolled } from '../api/usePolled.ts';
import { content, flagsIn, segmentsIn } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
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
          label="At (local time, optional)"
          hint="Evaluates with the flags and segments of that time, as far as the history goes back. Empty: now."
          problem={past?.failure}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              step={1}
              title={at === undefined ? '' : new Date(at).toISOString()}
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
  return (
    <>
      Evaluated with the version of <Time at={version} isExact />.
    </>
  );
}

/** The past content of an environment, or the reason why it could not be read. */
interface Past extends Partial<PastContent> {
  readonly failure?: string;
}

/**
 * Reads an environment at a past time.
 *
 * @param at unix milliseconds. Undefined reads nothing
 * @returns undefined while it is read
 */
function usePast(envId: string, at: number | undefined): Past | undefined {
  const of = `${envId} ${at}`;
  const read = async (query: { readonly at: number }) => ({
    of,
    past: await request('GET environments/:env/past', { env: envId, query }).catch((error) => ({
      failure: messageOf(error),
    })),
  });
  const answer = usePolled(at === undefined ? at : () => read({ at }), [of], once);
  return answer?.of === of ? answer.past : undefined;
}

/**
 * The last millisecond of the entered second, to include changes in it.
 *
 * @param time in the format of `datetime-local`
 * @returns undefined for invalid times
 */
function endOfSecond(time: string, now: number): number | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  return at > now ? at : Math.min(at + 999, now);
}

interface ResultProps {
  readonly flag: Flag;
  readonly keyId: string;
  readonly explanation: Explanation;
  readonly isOpen: boolean;
}

/** The variation that a flag serves a user, with all evaluation steps. */
function Result({ flag, keyId, explanation, isOpen }: ResultProps) {
  const { result, invalidConditions } = explanation;
  const variation = flag.variations.find(({ id }) => id === result.variationId);
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class="result-key">{flag.key}</span>
          {variation ? (
            <code class="value">{nameOfVariation(flag, variation.id)}</code>
          ) : (
            <i class="none">the default in your code</i>
          )}
          <Badge>{result.reason}</Badge>
        </summary>
        <ol class="trace">
          {explanationLines(flag, keyId, explanation).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ol>
        {invalidConditions.map((each) => (
          <p key={each.path} class="notice warning">
            {formatInvalidCondition(each)}
          </p>
        ))}
        {sdkDifferenceLines(explanation).map((line) => (
          <p key={line} class="notice">
            Server-side SDKs differ in {line}
          </p>
        ))}
        <p>
          Value <code>{result.value ?? 'none'}</code> · <a href={linkTo('flags', flag.key)}>Open flag</a>
        </p>
      </details>
    </li>
  );
}
