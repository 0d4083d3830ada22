import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { APP_SETTINGS } from '../../infra/config/props.ts';
import { listSettings } from '../../infra/config/settingsList.ts';
import type { Template, TemplateResource } from '../../infra/inProcess.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { OLDEST } from './cdk.ts';
import { INSTALL_MS, OLDEST_NODE, UserFolder } from './testing/userFolder.ts';

const { devDependencies } = packageJson;
const { resolve } = createRequire(import.meta.url);
const cdk = join(dirname(resolve('aws-cdk/package.json')), 'bin', 'cdk');
const tsc = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');

/** An app with all settings, as CommonJS. */
const everything = readFileSync(join(import.meta.dirname, 'testing', 'cdkApp.cjs'), 'utf8');
const page = readFileSync(join(import.meta.dirname, 'cdk.md'), 'utf8');
/** The app on the page of the package. */
const example = /```js\n(\/\/ app[.]js\n.*?)```/s.exec(page)?.[1] ?? '';
const STACKS = ['Serverless', 'Regional', 'Hosts', 'Door'];

const [oldest, newest] = [new UserFolder(), new UserFolder()];
const home = join(oldest.path, 'node_modules', 'flagwire-cdk');

/** The same app as an ES module. */
const asModule = (app: string) => app.replaceAll(/const (\{.*?\}) = require\(('.*?')\);/g, 'import $1 from $2;');

/** Synthesizes an app by the stock command. */
const synth = (user: UserFolder, app: string, node = process.execPath) =>
  user.mustRun(process.execPath, cdk, 'synth', '--quiet', '--app', `${node} ${app}`, '--output', `${app}.out`);

/** What a stack creates, without metadata and hashes of assets, and without the version of Node that CDK's own function has. */
function resourcesOf(user: UserFolder, app: string, stack: string): Record<string, TemplateResource> {
  const text = readFileSync(join(user.path, `${app}.out`, `${stack}.template.json`), 'utf8');
  const { Resources } = JSON.parse(text.replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')) as Template;
  return Object.fromEntries(
    Object.entries(Resources).flatMap(([id, { Metadata, ...resource }]) => {
      if (resource.Type === 'AWS::CDK::Metadata') return [];
      const { Runtime, ...properties } = resource.Properties ?? {};
      return [
        [id, /CustomResourceProvider|^AWS679f53fac/.test(id) ? { ...resource, Properties: properties } : resource],
      ];
    }),
  );
}

beforeAll(async () => {
  const tarball = await oldest.pack('flagwire-cdk');
  await oldest.install(tarball, `aws-cdk-lib@${OLDEST['aws-cdk-lib']}`, `constructs@${OLDEST.constructs}`);
  const versions = `aws-cdk-lib@${devDependencies['aws-cdk-lib']} constructs@${devDependencies.constructs}`;
  await newest.install(tarball, ...versions.split(' '));
  for (const user of [oldest, newest]) {
    for (const [name, app] of Object.entries({ everything, example })) {
      user.write(`${name}.cjs`, app);
      user.write(`${name}.mjs`, asModule(app));
    }
  }
}, INSTALL_MS);

afterAll(() => {
  for (const user of [oldest, newest]) user.remove();
});

test('installs nothing but CDK, and has licences and no tests', () => {
  const installed = readdirSync(join(oldest.path, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['@aws-cdk', 'aws-cdk-lib', 'constructs', 'flagwire-cdk']);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /[.](test|suite)[.]|testing|(?<![.]d)[.]ts$/.test(path))).toEqual([]);
  expect(files).toContain(join('functions', 'console', 'page.json'));
  const licences = readFileSync(join(home, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['zod', 'tar', '@aws-sdk/client-dynamodb', 'ws', 'prom-client', 'jose', 'oauth4webapi'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('has pages with the versions of CDK that are tested', () => {
  const docs = readFileSync(join(repositoryRoot, 'docs', 'cdk.md'), 'utf8');
  for (const text of [page, docs])
    for (const version of Object.values(OLDEST)) expect(text).toContain(`${version} or newer`);
  expect(docs).toContain(`tested up to ${devDependencies['aws-cdk-lib']}`);
});

test('names no path of the machine that made it', () => {
  const text = readFileSync(join(home, 'index.js'), 'utf8') + readFileSync(join(home, 'host', 'host.js'), 'latin1');
  expect(text).not.toContain(repositoryRoot);
});

describe('an app with all settings', () => {
  test('has every setting that is not one of an app of several stacks', () => {
    const names = listSettings().flatMap(({ key }) => (key.includes('.') ? [] : key));
    const missing = names.filter((name) => !everything.includes(name));
    expect(missing.filter((name) => !(APP_SETTINGS as readonly string[]).includes(name))).toEqual([]);
  });

  test(
    'synthesizes the same resources in CommonJS on the oldest CDK and Node, and as an ES module on the newest CDK',
    async () => {
      await synth(newest, 'everything.mjs');
      await oldest.install(`node@${OLDEST_NODE}`);
      await synth(oldest, 'everything.cjs', join(oldest.path, 'node_modules', '.bin', 'node'));
      for (const stack of STACKS)
        expect(resourcesOf(oldest, 'everything.cjs', stack)).toEqual(resourcesOf(newest, 'everything.mjs', stack));
    },
    INSTALL_MS,
  );

  test('grants one environment: its flags, versions, journal and snapshot; editing also its history and plans', () => {
    const resources = resourcesOf(newest, 'everything.mjs', 'Serverless');
    const keysOf = (role: string) => {
      const policy = Object.entries(resources).find(([id]) => id.startsWith(`${role}DefaultPolicy`))?.[1];
      const { Statement = [] } = (policy?.Properties?.['PolicyDocument'] ?? {}) as Partial<Policy>;
      const statements = Statement.filter(({ Action }) => [Action].flat().some((each) => each.startsWith('dynamodb:')));
      return statements.map(({ Action, Condition }) => [
        [Action].flat().map((action) => action.replace('dynamodb:', '')),
        Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']?.map((key) =>
          key.replace(/[\da-f-]{36}/, '<id>'),
        ),
      ]);
    };
    const read = [
      ['GetItem', 'Query'],
      ['ENV#<id>', 'VERSION#<id>#*', 'JOURNAL#<id>', 'SNAPSHOT#<id>#*'],
    ];
    expect(keysOf('Reader')).toEqual([read]);
    expect(keysOf('Editor')).toEqual([
      read,
      [
        ['GetItem', 'Query'],
        ['SERVICE', 'ENVIRONMENTS', 'HISTORY#<id>', 'PLAN#<id>', 'HOOK#<id>'],
      ],
      [
        ['PutItem'],
        ['ENV#<id>', 'VERSION#<id>#*', 'JOURNAL#<id>', 'HISTORY#<id>', 'PLAN#<id>', 'DUE', 'GUARD#*', 'HOOK#<id>'],
      ],
    ]);
  });
});

interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Action: string | string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

describe('the app on the page of the package', () => {
  test.each(['example.cjs', 'example.mjs'])('%s synthesizes', async (app) => {
    await synth(newest, app);
    const types = Object.values(resourcesOf(newest, app, 'Flags')).map(({ Type }) => Type);
    expect(types).toEqual(expect.arrayContaining(['AWS::ApiGatewayV2::Api', 'Custom::FlagwireEnvironments']));
  });

  test.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])('has types for module %s and moduleResolution %s', async (module, moduleResolution) => {
    for (const user of [oldest, newest]) {
      user.write('example.cts', asModule(example));
      user.write('example.mts', asModule(example));
      const files = ['example.cts', 'example.mts', 'everything.mjs'];
      const options = ['--strict', '--noEmit', '--checkJs', '--target', 'esnext', '--types', ''];
      const resolution = ['--module', module, '--moduleResolution', moduleResolution];
      expect(await user.run(process.execPath, tsc, ...files, ...options, ...resolution)).toMatchObject({
        stdout: '',
        code: 0,
      });
    }
  });
});
