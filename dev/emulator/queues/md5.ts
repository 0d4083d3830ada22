import { createHash } from 'node:crypto';

/** The hash with which SQS proves what it took or hands out: MD5, in hex. Clients check it. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
