import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/failure.ts';
import { Section } from '../documents/section.tsx';
import { context } from '../state/session.ts';
import { TextField } from '../ui/field.tsx';
import type { PreviewValue } from './previewClient.ts';

interface Shown {
  readonly values: readonly PreviewValue[];
  /** Keys whose value changed by the last update. */
  readonly changed: ReadonlySet<string>;
}

/** FeatBit's own SDK, running in this page: a flip is seen at once. */
export function Preview({ clientKey }: { readonly clientKey: string | undefined }) {
  const [pasted, setPasted] = useState('');
  const [keyId, setKeyId] = useState('u1');
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<string>();
  const [end, setEnd] = useState<() => void>();
  const { streamingUrl, httpUrl } = context.value ?? {};
  useEffect(() => () => end?.(), [end]);

  const key = pasted.trim() || clientKey;
  const start = async () => {
    if (!key || !streamingUrl || !httpUrl) return;
    setProblem(undefined);
    try {
      const { connectPreview } = await import('./previewClient.ts');
      const stop = await connectPreview({ streamingUrl, httpUrl, clientKey: key, keyId }, (values) =>
        setShown((before) => ({ values, changed: changedIn(before?.values, values) })),
      );
      setEnd(() => stop);
    } catch (error) {
      setProblem(`It did not connect: ${messageOf(error)}. Is it a client key of this environment?`);
    }
  };
  const stop = () => {
    setEnd(undefined);
    setShown(undefined);
  };
  return (
    <Section
      title="Live, in this page"
      about="FeatBit’s JavaScript SDK, unmodified, connected from here. Flip a flag, and watch."
    >
      {!streamingUrl && (
        <p class="notice warning">The console was not told the streaming URL, so nothing can connect from here.</p>
      )}
      {streamingUrl && !end && (
        <form
          class="two"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <TextField
            label="Client key"
            isCode
            value={pasted}
            onInput={setPasted}
            placeholder={clientKey ? 'the one above' : 'paste one, or make a new one'}
          />
          <TextField label="User (key id)" isCode value={keyId} onInput={setKeyId} />
          <button type="submit" class="primary" disabled={!key || keyId.trim() === ''}>
            Connect
          </button>
        </form>
      )}
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {end && shown && (
        <>
          <ul class="preview" aria-live="polite" aria-label={`Values that ${keyId} gets`}>
            {shown.values.map(({ key: flagKey, value, reason }) => (
              <li key={flagKey} class={shown.changed.has(flagKey) ? 'changed' : ''}>
                <span>{flagKey}</span> <code class="value">{value}</code> <span class="hint">{reason}</span>
              </li>
            ))}
          </ul>
          {shown.values.length === 0 && <p class="hint">Connected; there are no flags yet.</p>}
          <button type="button" onClick={stop}>
            Disconnect
          </button>
        </>
      )}
    </Section>
  );
}

function changedIn(before: readonly PreviewValue[] | undefined, after: readonly PreviewValue[]): ReadonlySet<string> {
  const values = new Map(before?.map(({ key, value }) => [key, value]));
  return new Set(after.filter(({ key, value }) => before && values.get(key) !== value).map(({ key }) => key));
}
