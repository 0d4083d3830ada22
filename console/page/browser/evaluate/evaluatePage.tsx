import { useState } from 'preact/hooks';
import { explainFlag } from '../../../../shared/evaluation/explain.ts';
import { Heading } from '../../../ui/heading.tsx';
import { useRowsOnDemand } from '../../../ui/rowsOnDemand.ts';
import { isFound } from '../../logic/search.ts';
import { Section } from '../documents/section.tsx';
import { allSegments, flags } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { Result } from './result.tsx';
import { testUser, userOf } from './testUser.ts';
import { UserForm } from './userForm.tsx';

/** Which variation each flag serves a user, and why; of one flag where it is named. Evaluated here, as SDKs and servers do. */
export function EvaluatePage({ flagKey }: { readonly flagKey?: string | undefined }) {
  const [words, setWords] = useState('');
  const user = userOf(testUser.value);
  const documents = allSegments.value.map(({ document }) => document);
  const found = flags.value.filter((flag) =>
    flagKey === undefined ? isFound(flag, words, 'all') : flag.document.key === flagKey,
  );
  const { rows, end } = useRowsOnDemand(found.length);
  return (
    <>
      <Heading title="Evaluate" lead="Enter a user to see which variation each flag serves, and why." />
      <Section title="User">
        <UserForm
          user={testUser.value}
          onChange={(changed) => {
            testUser.value = changed;
          }}
        />
      </Section>
      <Section
        title={flagKey === undefined ? 'Results' : `Result of ${flagKey}`}
        actions={flagKey !== undefined && <a href={linkTo('evaluate')}>All flags</a>}
      >
        {flagKey === undefined && flags.value.length > 5 && (
          <search class="search">
            <input
              type="search"
              aria-label="Search flags"
              placeholder="Search flags"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </search>
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
        {found.length === 0 && <p class="hint">No flag matches.</p>}
      </Section>
    </>
  );
}
