/** What is used of a module that jest has loaded. */
interface Loaded {
  readonly loaded?: boolean;
  readonly status?: string;
}

/** The fields of jest's runtime of a test file that are used. jest-runtime has no types for them. */
export interface Runtime {
  requireModuleOrMock(from: string, name: string): unknown;
  requireInternalModule(from: string, name?: string): unknown;
  readonly esmLoader: { resolveModule(...args: unknown[]): unknown; linkAndEvaluateModule(module: unknown): unknown };
  readonly registries: Readonly<Record<(typeof REGISTRIES)[number], Map<string, Loaded>>>;
}

const REGISTRIES = ['internalModuleRegistry', 'moduleRegistry', 'esModuleRegistry'] as const;

/** Packages by file name, in each of jest's registries. */
const warm = REGISTRIES.map(() => new Map<string, Loaded>());

/**
 * jest-circus keeps the tests of a file, and CDK the tokens of its apps, in globals, which each file begins without. esbuild keeps the
 * working directory of its first use, which some files delete.
 */
const isShared = (name: string) =>
  /\/node_modules\/(?!(jest-circus|aws-cdk-lib|constructs|cdk-nag|esbuild)\/)/.test(name);

/** The runtime of the current test file. */
let current: Runtime | undefined;

/** Gives the runtime of a test file the packages that earlier files of this worker have loaded. */
export function lendPackages(runtime: Runtime): void {
  for (const [n, name] of REGISTRIES.entries())
    for (const [file, module] of warm[n] ?? []) runtime.registries[name].set(file, module);
  if (current) forward(current);
  current = runtime;
}

/** Lets the current runtime load what packages of an ended one load later. */
function forward(ended: Runtime): void {
  const now = () => current as Runtime;
  ended.requireModuleOrMock = (from, name) => now().requireModuleOrMock(from, name);
  ended.requireInternalModule = (from, name) => now().requireInternalModule(from, name);
  ended.esmLoader.resolveModule = (...args) => now().esmLoader.resolveModule(...args);
  ended.esmLoader.linkAndEvaluateModule = (module) => now().esmLoader.linkAndEvaluateModule(module);
}

/** Keeps the packages that a test file has loaded. */
export function keepPackages({ registries }: Runtime): void {
  const loaded = REGISTRIES.map((name, n) => [registries[name], warm[n] ?? new Map()] as const);
  // After `jest.resetModules`, packages are there twice.
  if (loaded.some(([found, known]) => [...known].some(([file, module]) => found.get(file) !== module))) return;
  for (const [found, known] of loaded)
    for (const [file, module] of found)
      if (isShared(file) && (module.loaded || module.status === 'evaluated')) known.set(file, module);
}
