import { useState } from 'preact/hooks';

interface ActionsProps {
  /** All controls as the fragment of an address, so that it works on a page with other defaults. */
  readonly fragment: () => string;
  readonly csv: () => string;
}

/** Buttons that copy a link and save the items. */
export function Actions({ fragment, csv }: ActionsProps) {
  const [status, setStatus] = useState('');
  const copy = async () => {
    const link = `${location.href.split('#')[0]}#${fragment()}`;
    try {
      await navigator.clipboard.writeText(link);
      setStatus('Copied.');
    } catch {
      history.replaceState(null, '', link);
      setStatus('The browser blocks copying. The link is in the address bar.');
    }
  };
  const save = () => {
    const href = URL.createObjectURL(new Blob([csv()], { type: 'text/csv' }));
    Object.assign(document.createElement('a'), { href, download: 'flagwire-cost.csv' }).click();
    URL.revokeObjectURL(href);
  };
  return (
    <p class="buttons">
      <button type="button" id="copy" onClick={copy}>
        Copy link
      </button>{' '}
      <button type="button" id="csv" onClick={save}>
        Download all items as CSV
      </button>{' '}
      <span id="copied" role="status">
        {status}
      </span>
    </p>
  );
}
