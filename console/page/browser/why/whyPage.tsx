import { useState } from 'preact/hooks';
import { explainFlag } from '../../../../shared/evaluation/explain.ts';
import { Heading } from '../../../ui/heading.tsx';
import { useRowsOnDemand } from '../../../ui/rowsOnDemand.ts';
import { isFound } from '../../logic/search.ts';
import { Section } from '../documents/section.tsx';
import { allSegments, flags } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { Answer } from './answer.tsx';
import { UserForm } from './userForm.tsx';
import { userOf, writtenUser } from './writtenUser.ts';

/** What each flag answers for a user, and what decided; of one flag where it is named. Evaluated here, as SDKs and servers do. */
export function WhyPage({ flagKey }: { readonly flagKey?: string | undefined }) {
  const [words, setWords] = useState('');
  const user = userOf(writtenUser.value);
  const documents = allSegments.value.map(({ document }) => document);
  const shown = flags.value.filter((flag) =>
    flagKey === undefined ? isFound(flag, words, 'all') : flag.document.key === flagKey,
  );
  const { rows, end } = useRowsOnDemand(shown.length);
  return (
    <>
      <Heading
        title="Why"
        lead="Write a user, and see what flags answer and what decided: a target, a rule, a segment, a share."
      />
      <Section title="The user">
        <UserForm
          user={writtenUser.value}
          onChange={(changed) => {
            writtenUser.value = changed;
          }}
        />
      </Section>
      <Section
        title={flagKey === undefined ? 'What the user gets' : `What the user gets of ${flagKey}`}
        actions={flagKey !== undefined && <a href={linkTo('why')}>All flags</a>}
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
        {!user && <p class="notice warning">A user needs a key id.</p>}
        {user && (
          <ul class="answers" aria-live="polite">
            {shown.slice(0, rows).map(({ document }) => (
              <Answer
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
        {shown.length === 0 && <p class="hint">There is no flag to ask.</p>}
      </Section>
    </>
  );
}
