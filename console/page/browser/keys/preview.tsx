import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';
import { messageOf } from '../api/failure.ts';
import { Section } from '../documents/section.tsx';
import { FlagSwitch } from '../flags/flagSwitch.tsx';
import { find } from '../state/content.ts';
import { type PreviewState, preview, startPreview, stopPreview } from '../state/preview.ts';
import { context } from '../state/session.ts';

interface PreviewProps {
  readonly environment: EnvironmentName;
  readonly clientKey: string | undefined;
}

/** FeatBit's own SDK, running in this page: a flip is seen at once. */
export function Preview({ environment, clientKey }: PreviewProps) {
  const shown = preview.value?.envId === environment.id ? preview.value : undefined;
  return (
    <Section
      title="Live, in this page"
      about="FeatBit’s JavaScript SDK, unmodified, connected from here. Flip a flag, and watch."
    >
      {shown ? <Values shown={shown} /> : <Connect environment={environment} clientKey={clientKey} />}
    </Section>
  );
}

function Connect({ environment, clientKey }: PreviewProps) {
  const [pasted, setPasted] = useState('');
  const [keyId, setKeyId] = useState('u1');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { streamingUrl, httpUrl } = context.value ?? {};
  if (!streamingUrl || !httpUrl) {
    return <p class="notice warning">The console was not told the streaming URL, so nothing can connect from here.</p>;
  }
  const key = pasted.trim() || clientKey;
  const start = async () => {
    if (!key) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await startPreview({ envId: environment.id, streamingUrl, httpUrl, clientKey: key, keyId: keyId.trim() });
    } catch (error) {
      setProblem(`It did not connect: ${messageOf(error)}. Is it a client key of this environment?`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <div class="two">
        <TextField
          label="Client key"
          isCode
          value={pasted}
          onInput={setPasted}
          placeholder={clientKey ? 'the one that is known here' : 'paste one, or make a new one'}
        />
        <TextField label="User (key id)" isCode value={keyId} onInput={setKeyId} />
      </div>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="primary" disabled={!key || keyId.trim() === '' || isBusy}>
        {isBusy ? 'Connecting …' : 'Connect'}
      </button>
    </form>
  );
}

function Values({ shown }: { readonly shown: PreviewState }) {
  return (
    <>
      <ul class="preview" aria-live="polite" aria-label={`Values that ${shown.keyId} gets`}>
        {shown.values.map(({ key, value, reason }) => {
          const stored = find('flag', key);
          return (
            <li key={key} class={shown.changed.has(key) ? 'changed' : ''}>
              <span>{key}</span> <code class="value">{value}</code> <span class="hint">{reason}</span>
              {stored?.kind === 'flag' && <FlagSwitch stored={stored} />}
            </li>
          );
        })}
      </ul>
      {shown.values.length === 0 && <p class="hint">Connected; there are no flags yet.</p>}
      <button type="button" onClick={stopPreview}>
        Disconnect {shown.keyId}
      </button>
    </>
  );
}
