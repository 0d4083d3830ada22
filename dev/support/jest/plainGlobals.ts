import { createRequire } from 'node:module';
import vm from 'node:vm';

type Environment = new (...args: unknown[]) => object;
const load = createRequire(import.meta.url);
const { TestEnvironment } = load('jest-environment-node') as { TestEnvironment: Environment };
const { createContext } = vm;

/**
 * jest's environment of Node, with an ordinary global object. Node's usual one for a context intercepts each read of a global,
 * such as `Math` or `Object`, and makes code with many of them up to thirty times slower.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default class PlainGlobals extends TestEnvironment {
  constructor(...args: unknown[]) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
}
