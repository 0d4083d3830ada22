import { optionWords } from '../../shared/command/quoteWord.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import type { HostConfig } from './settings/config.ts';

/** Addresses of all interfaces, which no client can use. */
const ANY = ['0.0.0.0', '::'];

/**
 * What a person sees who starts the host in a terminal: its addresses, and the next command.
 *
 * @param localData the data directory of `npm start`, if it uses that table
 */
export function hostGreeting(
  { host, port, tls }: Pick<HostConfig, 'host' | 'port' | 'tls'>,
  localData: string | undefined,
): string {
  const name = ANY.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const [ws, http] = ['ws', 'http'].map((scheme) => `${scheme}${tls ? 's' : ''}://${name}:${port}`);
  const next =
    localData !== undefined
      ? `Use these addresses in an SDK, with a key that ${ownCommand('start')} printed. To see its flags, run in another terminal:
  ${ownCommand('flags', ['list', ...optionWords('--data', localData, DATA_FOLDER)].join(' '))}`
      : `Use these addresses in an SDK. To check that the host can read its table, run in another terminal:
  curl ${http}/health/readiness`;
  return `
The host is running. Press Ctrl-C to stop it.

  streaming  ${ws}
  HTTP       ${http}

${next}
`;
}
