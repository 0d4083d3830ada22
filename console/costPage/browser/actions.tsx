import { useState } from 'preact/hooks';

interface ActionsProps {
  /** All controls as the end of an address, so that it means the same on a page that begins with something else. */
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
      setStatus('The browser does not allow copying here. The link is in the address bar.');
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
        Copy a link to this
      </button>{' '}
      <button type="button" id="csv" onClick={save}>
        Download every item as CSV
      </button>{' '}
      <span id="copied" role="status">
        {status}
      </span>
    </p>
  );
}
