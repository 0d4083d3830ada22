import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';

/** Handlers of requests over an IPC channel, by the name of the request. */
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

/** In a child process: answers the requests of the parent, and ends with the parent. */
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

/** Sends requests to a child process that answers them with {@link answerRequests}. */
export function requestsTo<H extends Handlers>(child: ChildProcess): Ask<H> {
  return async (name, input) => {
    const id = ++lastId;
    const messages = on(child, 'message', { close: ['exit'] });
    child.send({ id, name, input } satisfies Request);
    for await (const [reply] of messages as AsyncIterable<[Reply]>) {
      if (reply.id !== id) continue;
      if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`);
      return reply.output as never;
    }
    throw new Error(`${name}: the process ended with ${child.exitCode}`);
  };
}
