import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readMeasured } from '../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../cost/assumptions/ranges.ts';

/** The built page. */
export interface BuiltPage {
  readonly html: string;
  /** Assets by name. A name contains a hash of the content, so that browsers can cache it. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }>;
}

const here = import.meta.dirname;
const browser = (name: string) => join(here, 'browser', name);

/** Builds the page: a script, a style, and chunks that load on demand. Takes less than a second. */
export async function buildPage(): Promise<BuiltPage> {
  const { outputFiles, metafile } = await build({
    entryPoints: { main: browser('main.tsx'), style: join(here, 'style', 'all.css') },
    outdir: here,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    // The evaluation needs hashes. The SDK uses these names to detect Node.
    alias: { 'node:crypto': browser('nodeCrypto.ts') },
    define: { COST_RANGES: JSON.stringify(rangesFrom(readMeasured())) },
  });
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const assets = new Map(
    outputFiles.map(({ path, contents }) => {
      const type = path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
      return [nameOf(path), { type, body: Uint8Array.from(contents) }] as const;
    }),
  );
  const builtFrom = (entry: string) => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
    return nameOf(found?.[0] ?? '');
  };
  const html = readFileSync(join(here, 'index.html'), 'utf8')
    .replace('"style.css"', `"${builtFrom('style/all.css')}"`)
    .replace('"main.js"', `"${builtFrom('browser/main.tsx')}"`);
  return { html, assets };
}
