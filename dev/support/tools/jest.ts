import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';

/** Options of Node that jest needs for this project's modules. */
const jestNodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** What Node is to be given to run jest; jest's own arguments go behind it. */
export const jestCommand = [...jestNodeOptions, join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js')];
