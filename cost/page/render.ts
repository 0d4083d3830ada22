import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Range } from '../assumptions/rangesOf.ts';
import type { Assumptions } from '../model/assumptions.ts';
import type { LeverName } from '../model/levers.ts';
import type { Workload } from '../model/workload.ts';

/** What the page begins with. */
interface PageData {
  readonly ranges: Readonly<Record<keyof Assumptions, Range>>;
  readonly workload: Workload;
  readonly levers: readonly LeverName[];
}

/** The page with model, prices and charts in it: it asks no network for anything, and works from a file. */
export async function renderPage(data: PageData): Promise<string> {
  const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  const library = readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8');
  const script = await bundle();
  return own('page.html')
    .replace('/* style */', () => library + own('style.css'))
    .replace('/* data */', () => `const data = ${escapeScript(JSON.stringify(data))};`)
    .replace('/* script */', () => escapeScript(script));
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'browser', 'main.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** A script's text as it stands in a page: it must not end it. */
function escapeScript(text: string): string {
  return text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}
