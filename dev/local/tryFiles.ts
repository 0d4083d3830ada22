import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The page `/try`. */
export const tryPageHtml = () => readFileSync(join(import.meta.dirname, 'tryPage.html'), 'utf8');

/** Bundles FeatBit's JavaScript SDK for the page. */
export async function bundleSdk(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'trySdk.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
