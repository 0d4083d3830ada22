import { useState } from 'preact/hooks';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { messageOf } from '../api/failure.ts';
import { Section } from '../documents/section.tsx';
import { FlagSwitch } from '../flags/flagSwitch.tsx';
import { find } from '../state/content.ts';
import { knownKey } from '../state/issued.ts';
import { type PreviewState, preview, startPreview, stopPreview } from '../state/preview.ts';
import { context } from '../state/session.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';

/** FeatBit's SDK in this page. It shows each change at once. */
export function Preview() {
  const environment = useEnvironment();
  const shown = preview.value?.envId === environment.id ? preview.value : undefined;
  return (
    <Section
      title="Try it here"
      about="Connects FeatBit’s JavaScript SDK from this page. Turn a flag on or off and watch the value change."
    >
      {shown ? <Values shown={shown} /> : <Connect />}
    </Section>
  );
}

function Connect() {
  const clientKey = knownKey('client');
  const environment = useEnvironment();
  const [pasted, setPasted] = useState('');
  const [keyId, setKeyId] = useState('u1');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { streamingUrl, httpUrl } = context.value ?? {};
  if (!streamingUrl || !httpUrl) {
    return (
      <p class="notice warning">
        The console does not know the streaming URL, so this page cannot connect. Start it with --streaming-url and
        --http-url.
      </p>
    );
  }
  const key = pasted.trim() || clientKey;
  const start = async () => {
    if (!key) return;
    setProblem(undefined);
    setBusy(true);
    try {
      await startPreview({ envId: environment.id, streamingUrl, httpUrl, clientKey: key, keyId: keyId.trim() });
    } catch (error) {
      setProblem(`Could not connect: ${messageOf(error)}. Check that this is a client key of this environment.`);
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
          hint={clientKey && 'Leave empty to use the client key of this environment.'}
          placeholder={clientKey ? '' : 'paste a client key, or create one'}
        />
        <TextField label="User key (keyId)" isCode value={keyId} onInput={setKeyId} />
      </div>
      <Alert text={problem} />
      <button type="submit" class="primary" disabled={!key || keyId.trim() === '' || isBusy}>
        {isBusy ? 'Connecting …' : 'Connect'}
      </button>
    </form>
  );
}

function Values({ shown }: { readonly shown: PreviewState }) {
  return (
    <>
      <ul class="preview" aria-live="polite" aria-label={`Values for ${shown.keyId}`}>
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
      {shown.values.length === 0 && <p class="hint">Connected. There are no flags yet.</p>}
      <Button text={`Disconnect ${shown.keyId}`} onClick={stopPreview} />
    </>
  );
}
