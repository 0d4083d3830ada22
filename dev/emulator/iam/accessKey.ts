import { randomBytes } from 'node:crypto';

/** An AWS access key, as SDK clients take it. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Makes a random access key. */
export function newAccessKey(): AccessKey {
  return {
    accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  };
}
