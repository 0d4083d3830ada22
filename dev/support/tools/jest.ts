import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';

/** Options of Node that jest needs for this project's modules. */
const jestNodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** Arguments of Node for jest. Jest's own arguments follow. */
export const jestCommand = [...jestNodeOptions, join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js')];
