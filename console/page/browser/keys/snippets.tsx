import { useState } from 'preact/hooks';
import { explainFlag } from '../../../../shared/describe/explain.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { CopyButton } from '../../../ui/announcement.tsx';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { SNIPPET_NAMES, type SnippetName, snippetFor } from '../../logic/snippets.ts';
import { flags, knownKey, segments } from '../state/content.ts';
import { lastFlagKey } from '../state/route.ts';
import { context } from '../state/session.ts';

/** The user in all snippets. */
const USER = { keyId: 'u1', name: 'u1', attributes: new Map<string, string>() };

/** A snippet for each SDK with the address of this environment, and the output. */
export function Snippets() {
  const [clientKey, serverKey] = [knownKey('client'), knownKey('server')];
  const [name, setName] = useState<SnippetName>('Node');
  const [chosen, setChosen] = useState<string>();
  const offered = flags.value.flatMap(({ document }) => (document.isArchived ? [] : document));
  const wanted = chosen ?? lastFlagKey.value;
  const flag = offered.find(({ key }) => key === wanted) ?? offered[0];
  const { streamingUrl, httpUrl } = context.value ?? {};
  const { install, code } = snippetFor(name, {
    streamingUrl: streamingUrl ?? 'wss://<StreamingUri of the stack>',
    httpUrl: httpUrl ?? 'https://<PollingUri of the stack>',
    clientKey: clientKey ?? '<client key>',
    serverKey: serverKey ?? '<server key>',
    flagKey: flag?.key ?? 'my-flag',
    flagType: flag?.variationType ?? 'boolean',
  });
  const [isKeyShown, setKeyShown] = useState(false);
  const isSecret = serverKey !== undefined && code.includes(serverKey);
  const shown = isSecret && !isKeyShown ? code.replaceAll(serverKey, `${serverKey.slice(0, 4)}…`) : code;
  const missing =
    [clientKey, serverKey].includes(undefined) &&
    'This page fills in only keys that you created in it. Paste others yourself.';
  return (
    <Section title="Connect an SDK" about={missing}>
      <fieldset class="tabs">
        <legend class="hidden">SDK</legend>
        {SNIPPET_NAMES.map((each) => (
          <label key={each} class={each === name ? 'chosen' : ''}>
            <input type="radio" name="sdk" class="hidden" checked={each === name} onChange={() => setName(each)} />
            {each}
          </label>
        ))}
      </fieldset>
      {flag && offered.length > 1 && (
        <ChoiceField label="Flag" value={flag.key} options={offered.map(({ key }) => key)} onChange={setChosen} />
      )}
      {install && (
        <p>
          <code>{install}</code> <CopyButton text={install} what="what to install" />
        </p>
      )}
      <div class="snippet">
        <pre>
          <code>{shown}</code>
        </pre>
        <CopyButton text={code} what={`the snippet for ${name}`} />
      </div>
      {isSecret && (
        <Button
          text={isKeyShown ? 'Hide the key' : 'Show the key'}
          kind="small"
          onClick={() => setKeyShown(!isKeyShown)}
        />
      )}
      {flag && <CurrentValue flag={flag} />}
    </Section>
  );
}

function CurrentValue({ flag }: { readonly flag: Flag }) {
  const documents = segments.value.map(({ document }) => document);
  const { value } = explainFlag(flag, USER, documents).result;
  return (
    <p aria-live="polite" class="current-value">
      {USER.keyId} gets {value === null ? 'the default in your code' : <code class="value">{value}</code>} now.
    </p>
  );
}
