import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a process answers over its IPC channel, by the request's name. */
// biome-ignore lint/suspicious/noExplicitAny: each handler types its own input.
export type Handlers = Readonly<Record<string, (input: any) => unknown>>;

/** Sends a request to a process with these handlers. @throws when the request fails, or the process ends meanwhile */
export type Ask<H extends Handlers> = <K extends keyof H & string>(
  name: K,
  input: Parameters<H[K]>[0],
) => Promise<Awaited<ReturnType<H[K]>>>;

interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Reply {
  readonly id: number;
  readonly output?: unknown;
  readonly error?: string;
}

let lastId = 0;

/** In a child process: answers the requests of its parent, and ends when the parent is gone. */
export function answerRequests(handlers: Handlers): void {
  process.on('message', async ({ id, name, input }: Request) => {
    const reply = await Promise.resolve()
      .then(() => handlers[name]?.(input))
      .then(
        (output): Reply => ({ id, output }),
        (error: Error): Reply => ({ id, error: error.message }),
      );
    process.send?.(reply);
  });
  process.on('disconnect', () => process.exit());
}

/** What sends requests to a child process that answers them by {@link answerRequests}. */
export function requestsTo<H extends Handlers>(child: ChildProcess): Ask<H> {
  return async (name, input) => {
    const id = ++lastId;
    const over = new AbortController();
    const { signal } = over;
    const replied = new Promise<Reply>((resolve) => {
      const onMessage = (reply: Reply) => {
        if (reply.id === id) resolve(reply);
      };
      child.on('message', onMessage);
      signal.addEventListener('abort', () => child.off('message', onMessage));
    });
    try {
      child.send({ id, name, input } satisfies Request);
      const ended = once(child, 'exit', { signal }).then(
        ([code]): Reply => ({ id, error: `the process ended with ${code}` }),
      );
      const { output, error } = await Promise.race([replied, ended]);
      if (error !== undefined) throw new Error(`${name}: ${error}`);
      return output as never;
    } finally {
      over.abort();
    }
  };
}
