import type { Context } from 'hono';

/** The body of a response. */
type Body = string | Uint8Array<ArrayBuffer>;
/** The body in pieces, built as they are read. */
type BodyStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Calls back synchronously with whether a text may be compressed now. */
export type OfferCompression = (text: string, use: (compress: boolean) => void) => void;

/** Builds the body of a response once there is memory for it. */
export type BodyGate = (
  context: Context,
  make: (offerCompression: OfferCompression) => Body,
) => Body | Promise<Body | BodyStream>;

/** For a process that answers one request at a time, which never has to wait. */
export const ungated: BodyGate = (_, make) => make((_, use) => use(true));
