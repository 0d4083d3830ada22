import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HostConfigError, type TlsPaths } from '../settings/config.ts';

/** The content of the files: a certificate with its chain, and its key. */
export type TlsIdentity = TlsPaths;

/** How often the files are checked. Their content is compared, because renewal tools replace links and folders. */
const LOOK_EVERY_MS = 10_000;

/** @throws {HostConfigError} if a file cannot be read, or the key does not match the certificate */
export function readTls({ cert, key }: TlsPaths): TlsIdentity {
  const identity = { cert: read('TLS_CERT', cert), key: read('TLS_KEY', key) };
  let isPair: boolean;
  try {
    isPair = new X509Certificate(identity.cert).checkPrivateKey(createPrivateKey(identity.key));
  } catch (error) {
    throw new HostConfigError(
      `${cert} and ${key} are not a certificate and a key in PEM format: ${(error as Error).message}`,
    );
  }
  if (!isPair) throw new HostConfigError(`the key in ${key} does not match the certificate in ${cert}`);
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
 * Watches the files for changes. Invalid content, such as a new certificate without its key, changes nothing and is
 * checked again.
 *
 * @param used the last content
 * @returns a function that stops watching
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
