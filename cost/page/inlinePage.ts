import { buildSync } from 'esbuild';

/** What a page is made of. */
interface InlinePageProps {
  readonly title: string;
  /** The script's source, with JSX of Preact; it renders into `#page`, and reads the data from `#data`. */
  readonly script: string;
  readonly style: string;
  /** What it is about, as JSON. */
  readonly data: unknown;
}

/** Scripts and styles that were bundled, by their sources: a page may be made many times. */
const bundles = new Map<string, { readonly script: string; readonly style: string }>();

/** A page with its script, style and data in it: it needs no network, and works from a file. */
export function inlinePage({ title, script, style, data }: InlinePageProps): string {
  const bundle = bundles.get(script) ?? bundlePage(script, style);
  bundles.set(script, bundle);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)}</title>
<style>${bundle.style}</style>
</head>
<body>
<main id="page"><noscript>This page needs JavaScript.</noscript></main>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${bundle.script}</script>
</body>
</html>
`;
}

function bundlePage(script: string, style: string): { script: string; style: string } {
  const { outputFiles } = buildSync({
    entryPoints: { script, style },
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
  const safe = textOf('script.js').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  return { script: safe, style: textOf('style.css') };
}
