import { Command } from 'commander';
import { repositoryRoot } from '../../../infra/repository.ts';
import { TEST_DYNAMODB } from '../../../shared/store/testing/testTables.ts';
import { freePort } from '../../support/freePort.ts';
import { RunningProcess } from '../../support/runningProcess.ts';
import { jestCommand } from '../../support/tools/jest.ts';
import { startDynamoDbLocal } from './server.ts';

/** Folders of tests that usually run on the emulated DynamoDB. */
const TESTS = [
  'shared/store',
  'provider',
  'functions/websocket',
  'functions/push',
  'functions/http',
  'functions/host',
  'cli',
];

const program = new Command('npm test -- dynamodb-local')
  .description("Runs the store's tests with Amazon's DynamoDB Local in the place of the emulator's.")
  .argument('[jest-options...]', 'options for jest, such as --testNamePattern <pattern>')
  .addHelpText('after', `\nTests: ${TESTS.join(', ')}.\nNeeds Java 17 and, for the first run, Maven.`)
  .allowUnknownOption()
  .parse();

try {
  process.exitCode = await main(program.args);
} catch (error) {
  console.error(`dynamodb-local: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function main(jestOptions: readonly string[]): Promise<number> {
  const database = await startDynamoDbLocal((line) => console.error(`dynamodb-local: ${line}`), await freePort());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    // Long ones too. Last: jest takes what follows for globs.
    const files = ['--testMatch', ...TESTS.map((folder) => `<rootDir>/${folder}/**/*.{test,suite}.ts`)];
    const jest = new RunningProcess([process.execPath, ...jestCommand, ...jestOptions, ...files], {
      cwd: repositoryRoot,
      environment: { ...process.env, [TEST_DYNAMODB]: database.endpoint },
      stdout: 'inherit',
      stderr: 'inherit',
    });
    return (await jest.ended) ?? 1;
  } finally {
    await database.stop();
  }
}
