import type { Environments } from '../../shared/store/environments.ts';
import { RequestError } from './requestError.ts';

/**
 * Refuses a change of an environment that is marked as production where the operator did not confirm: the page may have been opened
 * before it was marked.
 *
 * @param env its id; empty for a change of no environment
 * @throws {RequestError} where the body’s `confirm` is not that id, {NotFound} where there is no such environment
 */
export async function requireConfirmed(
  environments: Pick<Environments, 'find'>,
  env: string,
  body: unknown,
): Promise<void> {
  if (env === '') return;
  const { id, name, isProduction } = await environments.find(env);
  if (!isProduction || (body as { confirm?: unknown })?.confirm === id) return;
  throw new RequestError('confirmation-required', `environment "${name}" is marked as production: confirm the change`);
}
