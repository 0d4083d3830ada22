import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { REPLACED } from './prebuilt.ts';

/** Main files by the command of `npx flagwire`, and the program itself. */
const COMMANDS: Readonly<Record<string, string>> = {
  flagwire: 'dev/pack/flagwire.ts',
  start: 'dev/local/main.ts',
  flags: 'cli/main.ts',
  console: 'console/main.ts',
  host: 'functions/host/launch.ts',
  cost: 'cost/cli/main.ts',
  deploy: 'infra/release/deploy.ts',
};

/** Scripts of pages. They are bundled elsewhere, and looked at here for the packages in them. */
const PAGES = ['console/page/browser/main.tsx', 'console/page/browser/cost/standalone.tsx', 'dev/local/trySdk.ts'];

/** Commands of the package, as pages name them in a clone. */
const NPM_COMMAND = /npm (?:run (?:--silent )?(flags|console|host|cost)|start)(?![\w-])(?: --(?![\w-]))?/g;

/** True in the package (shared/runtime/ownCommand.ts). */
export const IN_PACKAGE = 'globalThis.IN_PACKAGE';

/** A page in which commands have the names that they have in the package: `npx flagwire flags` for `npm run flags --`. */
export function nameCommands(text: string): string {
  return text.replaceAll(NPM_COMMAND, (_, script = 'start') => `npx flagwire ${script}`);
}

/** Differences between a bundle and its sources. */
interface Differences {
  /** Modules that are replaced, from the repository's root. */
  readonly replaced: readonly string[];
  /** The module that replaces them, in this folder. */
  readonly by: string;
  /** An expression for the folder of the package. */
  readonly root: string;
}

/** Sources as a package has them: with other modules. */
export function packaged({ replaced, by, root }: Differences): Plugin {
  return {
    name: 'packaged',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[.]/ }, ({ path, resolveDir }) => {
        const isReplaced = replaced.includes(relative(repositoryRoot, join(resolveDir, path)));
        return isReplaced ? { path: join(import.meta.dirname, by) } : undefined;
      });
      onLoad({ filter: /[.]ts$|[/\\]package[.]json$/ }, ({ path }) => {
        const file = relative(repositoryRoot, path);
        if (file === 'package.json')
          return { contents: JSON.stringify({ version: packageJson.version }), loader: 'json' };
        if (!file.endsWith('.ts') || file.startsWith('node_modules')) return undefined;
        const contents = readFileSync(path, 'utf8');
        // Each source still finds the root from where it was.
        const folder = `(${root} + ${JSON.stringify(`/${dirname(file)}`)})`;
        return { contents: contents.replaceAll('import.meta.dirname', folder), loader: 'ts' };
      });
    },
  };
}

/**
 * Bundles the commands, the host and the functions into a folder, for Node 20.19.
 *
 * @param functions source files, from the repository's root
 * @returns the packages in the bundles and in the pages, as paths of their folders from the root
 * @throws Error for a file of tests or load tests in a bundle
 */
export async function bundle(outdir: string, functions: readonly string[]): Promise<readonly string[]> {
  const files = ['functions/host/main.ts', ...functions];
  const { metafile } = await build({
    entryPoints: {
      ...Object.fromEntries(Object.entries(COMMANDS).map(([name, file]) => [`lib/${name}`, file])),
      ...Object.fromEntries(files.map((file) => [file.replace(/[.]ts$/, ''), file])),
    },
    outdir,
    chunkNames: 'lib/[name]-[hash]',
    absWorkingDir: repositoryRoot,
    inject: [join(repositoryRoot, 'dev/pack/node20.ts')],
    // Bundles are one folder below the package's root (checkPlaces).
    plugins: [packaged({ replaced: REPLACED, by: 'prebuilt.ts', root: "import.meta.dirname + '/..'" })],
    define: { [IN_PACKAGE]: 'true' },
    bundle: true,
    splitting: true,
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Packages in CommonJS load Node's modules by `require`.
    banner: {
      js: "import{createRequire as flagwireRequire}from'node:module';const require=flagwireRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
  checkPlaces(outdir, files);
  const pages = await build({
    entryPoints: PAGES,
    outdir,
    absWorkingDir: repositoryRoot,
    bundle: true,
    write: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { COST_RANGES: '{}' },
    alias: { 'node:crypto': join(repositoryRoot, 'console/page/browser/nodeCrypto.ts') },
    logLevel: 'error',
  });
  return packagesIn(metafile, pages.metafile);
}

/**
 * The npm packages in bundles, as paths of their folders from the root.
 *
 * @throws Error for a file of tests or load tests in a bundle, and for build tools
 */
export function packagesIn(...metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap(inputsOf);
  const wrong = inputs.filter((path) =>
    /[.](test|suite)[.]ts$|^(?!node_modules).*\/testing\/|^loadtest\/|^node_modules\/(esbuild|aws-cdk|jest)/.test(path),
  );
  if (wrong.length > 0) throw new Error(`these files must not be in the package: ${wrong.join(', ')}`);
  const packages = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(packages)].sort();
}

/** @throws Error where a bundle that is deeper in the package than the others depends on its folder */
function checkPlaces(folder: string, files: readonly string[]): void {
  const textOf = (file: string) => readFileSync(join(folder, file.replace(/[.]ts$/, '.js')), 'utf8');
  const wrong = files.find((file) => textOf(file).includes('import.meta.dirname'));
  if (wrong !== undefined)
    throw new Error(`${wrong} must not use import.meta.dirname: its bundle is in another folder`);
}

/** Files that a bundle has code of. */
function inputsOf({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  );
}
