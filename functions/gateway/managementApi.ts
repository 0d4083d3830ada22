import type { Effects } from '../../shared/runtime/effects.ts';
import { SignedRequests, type SignedTarget } from '../../shared/runtime/signedRequests.ts';
import { type ConnectionSender, type PostOutcome, UncertainPost } from './connectionSender.ts';
import { retryBusy } from './retryBusy.ts';

const HEADERS = { 'content-type': 'application/octet-stream' };

/** An error response of API Gateway; its name is AWS's. */
class ManagementApiError extends Error {
  readonly status: number;

  constructor(name: string, status: number) {
    super(`API Gateway answered ${status} to a post to a connection`);
    this.name = name || 'ManagementApiError';
    this.status = status;
  }
}

/**
 * Posts to connections through the management API of a stage.
 *
 * @param target the stage's endpoint, `https://…/<stage>`, and the credentials
 * @param timeoutMs timeout of a request
 */
export function managementApi(
  target: Omit<SignedTarget, 'service'>,
  effects: Effects,
  timeoutMs = 3_000,
): ConnectionSender {
  const posts = new SignedRequests({ ...target, service: 'execute-api' }, timeoutMs, effects);
  const statusOf = (error: unknown) => (error instanceof ManagementApiError ? error.status : undefined);
  return {
    async post(connectionId, text, retryUntil, isOutdated = async () => false) {
      const path = `/@connections/${encodeURIComponent(connectionId)}`;
      let isUncertain = false;
      const send = async (): Promise<PostOutcome> => {
        if (await isOutdated()) return 'outdated';
        const { status, error } = await posts.send(path, text, HEADERS).catch((reason: unknown) => {
          isUncertain = true;
          throw reason;
        });
        isUncertain ||= status >= 500;
        if (status === 410) return 'gone';
        if (status >= 300) throw new ManagementApiError(error, status);
        return 'sent';
      };
      try {
        return await retryBusy(effects, send, statusOf, retryUntil);
      } catch (error) {
        throw isUncertain ? new UncertainPost(error) : error;
      }
    },
  };
}
