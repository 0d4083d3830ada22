import { styleText } from 'node:util';
import { renderUnicodeCompact } from 'uqr';

/** A URL as a QR code of block characters. It sets its colours, so that it can be scanned from a terminal of any theme. */
export function terminalQr(url: string): string {
  const lines = renderUnicodeCompact(url, { border: 2 }).split('\n');
  return lines.map((line) => styleText(['whiteBright', 'bgBlack'], line, { stream: process.stdout })).join('\n');
}
