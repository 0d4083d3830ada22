import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import packageJson from '../../../package.json' with { type: 'json' };
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { setTimeouts } from '../../../shared/testing/until.ts';
import { INSTALL_MS, UserFolder } from '../../pack/testing/userFolder.ts';
import { NodeSdk } from '../conformance/clients/nodeSdk.ts';
import { Deployment, flagsCli } from './deployment.ts';
import { type Emulator, progress, startEmulator } from './emulator.ts';
import { openTarget } from './target.ts';

jest.setTimeout(INSTALL_MS);
setTimeouts({ message: 60_000, condition: 60_000 });

/** An app of others, without its first lines. */
const app = `
const app = new App();
const stack = new Stack(app, 'Shop');
const flags = new Flagwire(stack, 'Flags', { environments: ['production'], removalPolicy: RemovalPolicy.DESTROY });
for (const [name, output] of Object.entries(flags.outputs)) new CfnOutput(stack, name, output);
new CfnOutput(stack, 'FlagsTableName', { value: flags.flagsTable.tableName });
new CfnOutput(stack, 'ConnectionsTableName', { value: flags.connectionsTable.tableName });
new CfnOutput(stack, 'ProductionId', { value: flags.environmentId('production') });
`;

/** The first lines by the kind of module. */
const APPS = {
  'app.cjs': `
const { App, CfnOutput, RemovalPolicy, Stack } = require('aws-cdk-lib');
const { Flagwire } = require('flagwire-cdk');
`,
  'app.mjs': `
import { App, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Flagwire } from 'flagwire-cdk';
`,
};

const report = progress();
const user = new UserFolder();

beforeAll(async () => {
  const { 'aws-cdk-lib': cdk, constructs } = packageJson.devDependencies;
  await user.install(await user.pack('flagwire-cdk'), `aws-cdk-lib@${cdk}`, `constructs@${constructs}`);
});
afterAll(() => user.remove());

describe.each(Object.entries(APPS))('the app %s', (file, firstLines) => {
  let emulator: Emulator;
  let deployment: Deployment;

  beforeAll(async () => {
    user.write(file, `${firstLines}${app}`);
    emulator = await startEmulator(report);
    const command = `${process.execPath} ${file}`;
    deployment = await Deployment.create(emulator, report, { folder: user.path, command });
    Object.assign(process.env, emulator.environment);
  });

  afterAll(() => emulator?.stop());

  test('is deployed with its environment, and the Node SDK sees a flag change', async () => {
    const flags = (...args: string[]) => flagsCli(deployment, ...args);
    const environments = await flags('env', 'list');
    expect(environments).toMatchObject([{ id: deployment.outputs['ProductionId'], name: 'production' }]);

    const { value } = (await flags('secret', 'create', 'backend', '--type', 'server')) as { readonly value: string };
    await flags('create', 'checkout', '--on');
    const target = await openTarget(deployment, createDynamoDb());
    const sdk = await NodeSdk.start({ target, serverKey: value });
    await sdk.becomes('checkout', 'true');
    await flags('toggle', 'checkout');
    await sdk.becomes('checkout', 'false');
    await sdk.close();
    target.store.close();
  });

  test('cdk destroy leaves what cdk bootstrap had made, and nothing else', async () => {
    expect(await deployment.destroy()).toEqual(deployment.before);
  });
});
