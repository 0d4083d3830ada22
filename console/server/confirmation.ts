import type { Environments } from '../../shared/store/environments/environments.ts';
import { RequestError } from './requestError.ts';

/**
 * Refuses a change of an environment that is marked as production where the operator did not confirm, and one without a reason that
 * it requires: the page may have been opened before its settings were changed.
 *
 * @param env its id; empty for a change of no environment
 * @param takesRemark whether the request changes flags or segments
 * @throws {RequestError} where the body’s `confirm` is not that id, {NotFound} where there is no such environment
 */
export async function requireConfirmed(
  environments: Pick<Environments, 'find'>,
  env: string,
  body: unknown,
  takesRemark: boolean,
): Promise<void> {
  if (env === '') return;
  const { id, name, isProduction, requiresReason } = await environments.find(env);
  const { confirm, remark } = (body ?? {}) as { readonly confirm?: string; readonly remark?: string };
  if (isProduction && confirm !== id) {
    throw new RequestError(
      'confirmation-required',
      `environment "${name}" is marked as production: confirm the change`,
    );
  }
  if (takesRemark && requiresReason && !remark?.trim()) {
    throw new RequestError('reason-required', `environment "${name}" requires a reason for each change: enter one`);
  }
}
