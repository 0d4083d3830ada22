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

/** Posts to connections through the management API of a stage. */
export class ManagementApi implements ConnectionSender {
  readonly #posts: SignedRequests;
  readonly #effects: Effects;

  /**
   * @param target the stage's endpoint, `https://…/<stage>`, and the credentials
   * @param timeoutMs timeout of a request
   */
  constructor(target: Omit<SignedTarget, 'service'>, effects: Effects, timeoutMs = 3_000) {
    this.#posts = new SignedRequests({ ...target, service: 'execute-api' }, timeoutMs, effects);
    this.#effects = effects;
  }

  async post(
    connectionId: string,
    text: string,
    retryUntil?: number,
    isOutdated = async () => false,
  ): Promise<PostOutcome> {
    const path = `/@connections/${encodeURIComponent(connectionId)}`;
    let isUncertain = false;
    const send = async (): Promise<PostOutcome> => {
      if (await isOutdated()) return 'outdated';
      const { status, error } = await this.#posts.send(path, text, HEADERS).catch((reason: unknown) => {
        isUncertain = true;
        throw reason;
      });
      isUncertain ||= status >= 500;
      if (status === 410) return 'gone';
      if (status >= 300) throw new ManagementApiError(error, status);
      return 'sent';
    };
    const statusOf = (error: unknown) => (error instanceof ManagementApiError ? error.status : undefined);
    try {
      return await retryBusy(this.#effects, send, statusOf, retryUntil);
    } catch (error) {
      throw isUncertain ? new UncertainPost(error) : error;
    }
  }
}
