import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HostConfigError, type TlsPaths } from './config.ts';

/** What the files hold: a certificate with its chain, and its key. */
export type TlsIdentity = TlsPaths;

/** How often the files are looked at: by what they hold, as tools that renew them replace links and folders. */
const LOOK_EVERY_MS = 10_000;

/** @throws {HostConfigError} when one of them cannot be read, or the key is not the certificate's */
export function readTls({ cert, key }: TlsPaths): TlsIdentity {
  const identity = { cert: read('TLS_CERT', cert), key: read('TLS_KEY', key) };
  let isPair: boolean;
  try {
    isPair = new X509Certificate(identity.cert).checkPrivateKey(createPrivateKey(identity.key));
  } catch (error) {
    throw new HostConfigError(`${cert} and ${key} are no certificate and key in PEM: ${(error as Error).message}`);
  }
  if (!isPair) throw new HostConfigError(`the key in ${key} is not that of the certificate in ${cert}`);
  return identity;
}

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new HostConfigError(`${setting}=${path} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Looks whether the files hold something else. What cannot be used, such as a new certificate whose key is not there yet, changes
 * nothing, and is looked at again.
 *
 * @param used what they held when they were read last
 * @returns what ends it
 */
export function watchTls(
  paths: TlsPaths,
  used: TlsIdentity,
  onChanged: (identity: TlsIdentity) => void,
  onFailed: (error: unknown) => void,
): () => void {
  let current = used;
  const timer = setInterval(() => {
    try {
      const found = readTls(paths);
      if (found.cert === current.cert && found.key === current.key) return;
      onChanged(found);
      current = found;
    } catch (error) {
      onFailed(error);
    }
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
