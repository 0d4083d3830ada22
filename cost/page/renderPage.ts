import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { AllRanges } from '../assumptions/rangesOf.ts';
import type { Workload } from '../model/workload/workload.ts';

/** Data of the cost page. */
export interface CostPageData {
  readonly ranges: AllRanges;
  readonly workload: Workload;
}

/** The cost page is the console's cost view. Its sources are named by path, because the console imports the cost model. */
const source = (name: string) => join(import.meta.dirname, '../../console/page', name);

/** Renders the cost page with model, prices and charts. It needs no network, and works from a file. */
export function renderCostPage(data: CostPageData): string {
  const { outputFiles } = buildSync({
    entryPoints: { script: source('browser/cost/standalone.tsx'), style: source('style/all.css') },
    absWorkingDir: import.meta.dirname,
    outdir: import.meta.dirname,
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  // A script must not end itself.
  const script = textOf('script.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What real-time flags cost on AWS</title>
<style>${textOf('style.css')}</style>
</head>
<body>
<main id="page"><noscript>This page needs JavaScript.</noscript></main>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</body>
</html>
`;
}
