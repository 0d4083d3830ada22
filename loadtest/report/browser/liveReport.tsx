import { useEffect, useState } from 'preact/hooks';
import type { Document } from '../document.ts';
import type { LiveState } from '../liveServer.ts';
import { Report } from './report.tsx';

/** The report of a running campaign. It polls for newer reports. @param everyMs time between two polls */
export function LiveReport({ first, everyMs }: { readonly first: Document; readonly everyMs: number }) {
  const [report, setReport] = useState(first);
  const [status, setStatus] = useState('The campaign is running. This page follows it.');
  useEffect(() => {
    const timer = setInterval(async () => {
      const time = new Date().toLocaleTimeString();
      try {
        const state: LiveState = await (await fetch('state')).json();
        if (state.over !== undefined) clearInterval(timer);
        setReport(state.report);
        setStatus(state.over ?? `The campaign is running. Last update: ${time}.`);
      } catch {
        setStatus(`The load test did not respond at ${time}. Below is its last report.`);
      }
    }, everyMs);
    return () => clearInterval(timer);
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
