import { useState } from 'preact/hooks';
import { Choice } from '../../../ui/choice.tsx';
import { CopyButton } from '../../../ui/copyButton.tsx';
import { Field } from '../../../ui/field.tsx';
import { snippetsFor } from '../../logic/snippets.ts';
import { Section } from '../documents/section.tsx';
import { flags } from '../state/content.ts';
import { context } from '../state/session.ts';

interface SnippetsProps {
  readonly clientKey: string | undefined;
  readonly serverKey: string | undefined;
}

/** A snippet for each SDK, with this environment's address filled in. */
export function Snippets({ clientKey, serverKey }: SnippetsProps) {
  const [title, setTitle] = useState('Node');
  const [chosen, setChosen] = useState<string>();
  const keys = flags.value.filter(({ document }) => !document.isArchived).map(({ document }) => document.key);
  const flagKey = chosen ?? keys[0] ?? 'my-flag';
  const { streamingUrl, httpUrl } = context.value ?? {};
  const all = snippetsFor({
    streamingUrl: streamingUrl ?? 'wss://<StreamingUri of the stack>',
    httpUrl: httpUrl ?? 'https://<PollingUri of the stack>',
    clientKey: clientKey ?? '<client key>',
    serverKey: serverKey ?? '<server key>',
    flagKey,
  });
  const shown = all.find((each) => each.title === title) ?? all[0];
  if (!shown) return null;
  const missing =
    [clientKey, serverKey].includes(undefined) && 'Keys are filled in where this page knows them: those just made.';
  return (
    <Section title="Connect an SDK" about={missing}>
      <fieldset class="tabs">
        <legend class="hidden">SDK</legend>
        {all.map((each) => (
          <label key={each.title} class={each === shown ? 'chosen' : ''}>
            <input
              type="radio"
              name="sdk"
              class="hidden"
              checked={each === shown}
              onChange={() => setTitle(each.title)}
            />
            {each.title}
          </label>
        ))}
      </fieldset>
      {keys.length > 1 && (
        <Field label="Flag">
          {({ id }) => (
            <Choice
              id={id}
              label="Flag"
              value={flagKey}
              options={keys.map((key) => ({ value: key, text: key }))}
              onChange={setChosen}
            />
          )}
        </Field>
      )}
      {shown.install && (
        <p>
          <code>{shown.install}</code> <CopyButton text={shown.install} what="what to install" />
        </p>
      )}
      <div class="snippet">
        <pre>
          <code>{shown.code}</code>
        </pre>
        <CopyButton text={shown.code} what={`the snippet for ${shown.title}`} />
      </div>
    </Section>
  );
}
