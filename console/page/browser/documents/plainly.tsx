import { plain } from '../state/session.ts';

/** An author, command or reason of the history. The tooltip has the stored text, with times in ISO 8601. */
export function plainly(text: string) {
  const shown = plain(text);
  return shown === text ? text : <span title={text}>{shown}</span>;
}
