import { createRequire } from 'node:module';
import vm from 'node:vm';

type Environment = new (
  ...args: unknown[]
) => {
  readonly global: typeof globalThis;
  readonly fakeTimersModern: { useRealTimers(): void };
  teardown(): Promise<void>;
};
const load = createRequire(import.meta.url);
const { TestEnvironment } = load('jest-environment-node') as { TestEnvironment: Environment };
const { compileFunction, createContext } = vm;

/** V8's compiled code of CommonJS modules by file name: as many as the packages that tests use have files. */
const compiled = new Map<string, { readonly code: string; readonly cachedData: Buffer | undefined }>();

/*
 * jest compiles its own modules, and CommonJS packages, anew for each test file. With V8's cache, a worker parses each of them once,
 * and a short test file takes a fifth less processor time. V8 compares lengths only, so this compares the code.
 */
vm.compileFunction = (code, parameters, options = {}) => {
  const { filename = '' } = options;
  const known = compiled.get(filename);
  if (known?.code === code && known.cachedData)
    return compileFunction(code, parameters, { ...options, cachedData: known.cachedData });
  const result = compileFunction(code, parameters, { ...options, produceCachedData: true });
  compiled.set(filename, { code, cachedData: result.cachedData });
  return result;
};

/**
 * jest's environment of Node, with an ordinary global object. Node's usual one for a context intercepts each read of a global,
 * such as `Math` or `Object`, and makes code with many of them up to thirty times slower.
 */
class PlainGlobals extends TestEnvironment {
  readonly #objects: readonly (readonly [object, PropertyDescriptorMap])[];

  constructor(...args: unknown[]) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    const { process } = this.global;
    this.#objects = [this.global, process, process.env].map((each) => [each, Object.getOwnPropertyDescriptors(each)]);
  }

  /** Gives globals, the process and its variables the properties again that they had before the first test file. */
  override async teardown(): Promise<void> {
    this.fakeTimersModern.useRealTimers();
    for (const [object, properties] of this.#objects) {
      for (const key of Reflect.ownKeys(object))
        if (!Object.hasOwn(properties, key)) Reflect.deleteProperty(object, key);
      for (const key of Reflect.ownKeys(properties))
        Reflect.defineProperty(object, key, properties[key as string] ?? {});
    }
    // A package outside of the context may have put others in their place since.
    const { cwd, chdir } = process;
    Object.assign(this.global.process, { cwd, chdir });
  }
}

let environment: PlainGlobals | undefined;

/** The environment of all test files of a worker, so that packages are loaded once (warmPackages.ts). jest calls it with `new`. */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default function sharedEnvironment(...args: unknown[]): PlainGlobals {
  environment ??= new PlainGlobals(...args);
  return environment;
}
