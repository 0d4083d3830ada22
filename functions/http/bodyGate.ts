import type { Context } from 'hono';

/** The body of an answer. */
type Body = string | Uint8Array<ArrayBuffer>;
/** The same in pieces, made as they are read. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Makes the body of an answer when there is room for it in memory. */
export type BodyGate = (context: Context, make: () => Body) => Body | Promise<Body | BodyStream>;

/** For a process that answers one request at a time: there is always room. */
export const ungated: BodyGate = (_, make) => make();
