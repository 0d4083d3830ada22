import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Window, Windows } from '../bench/window/result.ts';
import { formatStamp } from '../measure/stamp.ts';
import { figure } from '../report/document.ts';

/** The heading of its section in `docs/results/serverless.md`. */
export const WINDOW_HEADING = 'For how long a server-side SDK is ready with part of its flags';

/** A section of `docs/results/serverless.md`: how long parts of a large answer take. */
export function windowSection({ stamp, latencyMs, functionMs, rounds, windows }: Windows): string {
  const rows = windows.map((window) => {
    const { flags, sdk, messages, bytes, windowMs } = window;
    const least = messages > 1 ? formatMs((messages - 1) * latencyMs) : 'none';
    const cells = [sdk, figure(messages), Math.round(bytes / 1_000).toLocaleString('en'), formatMs(windowMs), least];
    return [flags.toLocaleString('en'), ...cells.map((cell) => cell.replace(/^0 ms$/, 'none'))];
  });
  return `An SDK is ready after its first message. An environment that takes more than the 128 KB of one message arrives in parts, and until the last of them the SDK gives
default values for what it lacks ([record 6](../decisions/0006-large-replies.md)). FeatBit's benchmark flags, repeated; the code of the function that answers, on a whole
processor, posting over loopback to a played \`@connections\` that takes ${latencyMs} ms; the time from the first message to the last, medians of ${rounds} answers.

${markdownTable(['flags', 'SDK', 'messages', 'KB', 'window', `at ${latencyMs} ms a post, at least`], rows)}

The function ends after ${functionMs / 1_000} s: what takes longer is not all sent, and the rest comes with the next change. The benchmark has no such end.

What does not transfer: the ${latencyMs} ms are what users report of \`@connections\`, not documented and not measured; a function of 512 MB has 29 % of a processor, on which
signing a post of 128 KB takes some milliseconds more.

${formatStamp(stamp)} All figures are in [serverless/window.json](serverless/window.json).`;
}

/** The README's table: for how long each SDK lacks flags, by the size of the environment. */
export function windowTable({ functionMs, windows }: Windows): string {
  const sdks = [...new Set(windows.map(({ sdk }) => sdk))];
  const cell = ({ windowMs }: Window) => {
    if (windowMs === 0) return 'not at all';
    return windowMs > functionMs ? `past ${functionMs / 1_000} s: not all` : formatMs(windowMs);
  };
  const rows = [...Map.groupBy(windows, ({ flags }) => flags)].map(([flags, of]) => [
    flags.toLocaleString('en'),
    ...of.map(cell),
  ]);
  return markdownTable(['flags', ...sdks], rows);
}

function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${figure(ms / 1_000)} s`;
}
