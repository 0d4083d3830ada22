import type { Document } from '../../../../shared/flags/document.ts';
import type { EnvironmentName } from '../../../api.ts';
import { doneText } from '../../logic/actions.ts';
import { request } from '../api/request.ts';
import { take } from '../state/content.ts';
import { goTo } from '../state/route.ts';
import { changeNews } from './changeNews.tsx';

/**
 * Stores a new flag or segment and opens its page.
 *
 * @param signature of `useChangeSignature`
 * @returns the message of success
 * @throws Error for a flag or segment that exists, or that the server refuses
 */
export async function createDocument(environment: EnvironmentName, document: Document, signature: object) {
  const body = { document, expectedVersion: null, ...signature };
  const written = await request('PUT environments/:env/document', { env: environment.id, body });
  take(written.documents);
  const isFlag = document.kind === 'flag';
  goTo(isFlag ? 'flags' : 'segments', isFlag ? document.document.key : document.document.id);
  const name = isFlag ? document.document.key : document.document.name;
  return { text: doneText('created', name), more: changeNews(environment, written) };
}
