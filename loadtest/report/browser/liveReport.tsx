import { useEffect, useState } from 'preact/hooks';
import type { Document } from '../document.ts';
import { Report } from './report.tsx';

/** A report that follows a campaign: it shows each newer one. */
export function LiveReport({ first }: { readonly first: Document }) {
  const [report, setReport] = useState(first);
  const [status, setStatus] = useState('The campaign is running. This page follows it.');
  useEffect(() => {
    const source = new EventSource('events');
    const time = () => new Date().toLocaleTimeString();
    source.addEventListener('report', ({ data }) => {
      setReport(JSON.parse(data));
      setStatus(`The campaign is running. Last update: ${time()}.`);
    });
    source.addEventListener('over', ({ data }) => {
      source.close();
      setStatus(JSON.parse(data));
    });
    source.addEventListener('error', () => {
      setStatus(`The load test has not answered since ${time()}. Below is its last report.`);
    });
    return () => source.close();
  }, []);
  return (
    <>
      <p id="state" role="status">
        {status}
      </p>
      <Report report={report} />
    </>
  );
}
