import { useState } from 'preact/hooks';
import { explainFlag } from '../../../../shared/describe/explain.ts';
import { SNIPPET_USER } from '../../../../shared/describe/flagToFlip.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { CopyButton } from '../../../ui/announcement.tsx';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { SNIPPET_NAMES, type SnippetName, snippetFor } from '../../logic/snippets.ts';
import { flags, knownKey, offeredFlag, segments } from '../state/content.ts';
import { context } from '../state/session.ts';

interface SnippetsProps {
  /** The key of the flag. Default: that of all examples. */
  readonly wanted: string | undefined;
  readonly onFlag: (key: string) => void;
}

/** A snippet for each SDK with the address of this environment, and the output. */
export function Snippets({ wanted, onFlag }: SnippetsProps) {
  const [clientKey, serverKey] = [knownKey('client'), knownKey('server')];
  const [name, setName] = useState<SnippetName>('Node');
  const offered = flags.value.flatMap(({ document }) => (document.isArchived ? [] : document.key));
  const flag = offeredFlag(wanted)?.document;
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
      {flag && offered.length > 1 && <ChoiceField label="Flag" value={flag.key} options={offered} onChange={onFlag} />}
      {install && (
        <p>
          <code>{install}</code> <CopyButton text={install} what="what to install" />
        </p>
      )}
      <div class="snippet">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre tabIndex={0}>
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
      {flag && (
        <p aria-live="polite" class="current-value">
          {SNIPPET_USER.keyId} gets <CurrentValue flag={flag} /> now.
        </p>
      )}
    </Section>
  );
}

/** The value of a flag for the user of the snippets. */
export function CurrentValue({ flag }: { readonly flag: Flag }) {
  const documents = segments.value.map(({ document }) => document);
  const { value } = explainFlag(flag, SNIPPET_USER, documents).result;
  return value === null ? <>the default in your code</> : <code class="value">{value}</code>;
}
