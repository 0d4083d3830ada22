import type { Effects } from '../../shared/runtime/effects.ts';
import { SignedRequests, type SignedTarget } from '../../shared/runtime/signedRequests.ts';
import { type ConnectionSender, type PostOutcome, UncertainPost } from './connectionSender.ts';
import { retryBusy } from './retryBusy.ts';

const HEADERS = { 'content-type': 'application/octet-stream' };

/** An error response of API Gateway; its name is AWS's. */
class ManagementApiError extends Error {
  readonly status: number;

  constructor(name: string, status: number) {
    super(`API Gateway answered ${status} to a request about a connection`);
    this.name = name || 'ManagementApiError';
    this.status = status;
  }
}

/** Sends text to connections, and closes connections. */
export interface ManagementApi extends ConnectionSender {
  /** Closes a connection with 1000, unless it is gone. @throws if that fails */
  end(connectionId: string): Promise<void>;
}

/**
 * Posts to connections and closes them through the management API of a stage.
 *
 * @param target the stage's endpoint, `https://…/<stage>`, and the credentials
 * @param timeoutMs timeout of a request
 */
export function managementApi(
  target: Omit<SignedTarget, 'service'>,
  effects: Effects,
  timeoutMs = 3_000,
): ManagementApi {
  const requests = new SignedRequests({ ...target, service: 'execute-api' }, timeoutMs, effects);
  const statusOf = (error: unknown) => (error instanceof ManagementApiError ? error.status : undefined);
  const pathOf = (connectionId: string) => `/@connections/${encodeURIComponent(connectionId)}`;
  return {
    async post(connectionId, text, retryUntil, isOutdated = async () => false) {
      let isUncertain = false;
      const send = async (): Promise<PostOutcome> => {
        if (await isOutdated()) return 'outdated';
        const { status, error } = await requests.send(pathOf(connectionId), text, HEADERS).catch((reason: unknown) => {
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
    async end(connectionId) {
      const send = async () => {
        const { status, error } = await requests.send(pathOf(connectionId), '', {}, 0, 'DELETE');
        if (status >= 300 && status !== 410) throw new ManagementApiError(error, status);
      };
      await retryBusy(effects, send, statusOf);
    },
  };
}
