import type { Environments } from '../../shared/store/environments/environments.ts';
import { RequestError } from './requestError.ts';

/**
 * Refuses an unconfirmed change of a production environment, and a change without a required reason. The settings may
 * have changed after the page was opened.
 *
 * @param env its id. Empty for requests without an environment
 * @param takesRemark whether the request changes flags or segments
 * @throws {RequestError} if `confirm` is not the id, {NotFound} if the environment does not exist
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
