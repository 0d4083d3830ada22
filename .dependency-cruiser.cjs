/**
 * The import rules (docs/architecture.md). Tests may look further. dev/verify/checks/folders.ts looks for
 * cycles of folders.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const pure = '^shared/(flags|evaluation|describe|protocol|delivery|plans|tier)/';
const tests = '[.](test|suite)[.]ts$|/testing/';

/** What modules of a folder may not import. */
const forbid = (name, from, to, comment) => ({
  name,
  ...(comment ? { comment } : {}),
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: to },
});

/** The folders of a subject from the bottom up: one imports those of earlier rows only. */
const layers = (room, ...rows) =>
  rows.flatMap((row, n) => {
    const others = (name) =>
      rows
        .slice(n)
        .flat()
        .filter((each) => each !== name);
    return row
      .filter((name) => others(name).length > 0)
      .map((name) => forbid(`${room}/${name}`, `^${room}/${name}/`, `^${room}/(${others(name).join('|')})/`));
  });

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    forbid('flags-is-the-bottom', '^shared/flags/', '^shared/(?!flags/)'),
    forbid('evaluation-uses-flags', '^shared/evaluation/', '^shared/(?!flags/|evaluation/)'),
    forbid('describe-uses-evaluation', '^shared/describe/', '^shared/(?!flags/|evaluation/|describe/)'),
    forbid('protocol-uses-evaluation', '^shared/protocol/', '^shared/(describe|delivery|plans|runtime|store)/'),
    forbid('delivery-makes-messages', '^shared/delivery/', '^shared/(describe|plans|runtime|store)/'),
    forbid('plans-use-describe', '^shared/plans/', '^shared/(?!flags/|evaluation/|describe/|plans/)'),
    forbid('tier-uses-nothing', '^shared/tier/', '^shared/(?!tier/)'),
    forbid('the-store-describes-nothing', '^shared/store/', '^shared/(describe|delivery)/'),
    forbid('runtime-is-below-the-store', '^shared/runtime/', '^shared/(?!runtime/)'),
    forbid('shared-is-the-bottom', '^shared/', '^(functions|provider|infra|loadtest|cli|console|cost|dev)/'),
    ...layers(
      'shared/store',
      ['table'],
      ['documents'],
      ['snapshots', 'history', 'usage'],
      ['environments', 'connections'],
      ['plans'],
    ),
    ...layers(
      'functions',
      ['telemetry'],
      ['gateway', 'http', 'events'],
      ['push', 'websocket', 'plans', 'tier', 'host'],
      ['lambda'],
    ),
    ...layers(
      'functions/host',
      ['settings', 'transport', 'offline'],
      ['feeds', 'server'],
      ['connections', 'http', 'insights'],
    ),
    ...layers('cli', ['import'], ['commands']),
    ...layers(
      'infra/constructs',
      ['grants', 'tables', 'streaming'],
      ['http', 'push', 'cost'],
      ['observability'],
      ['plans', 'host'],
      ['fargate'],
    ),
    ...layers('cost/model', ['workload'], ['designs'], ['report']),
    forbid(
      'functions-use-shared',
      '^functions/(?!lambda/console[.]ts)',
      '^(provider|infra|loadtest|cli|console|cost|dev)/',
      'The deployed console is the console.',
    ),
    forbid('cli-uses-shared', '^cli/', '^(functions|provider|infra|loadtest|console|cost|dev)/'),
    forbid(
      'the-provider-evaluates',
      '^provider/',
      '^(functions|infra|loadtest|cli|console|cost|dev)/|^shared/(?!flags/|evaluation/|protocol/|store/|runtime/)|node_modules/@aws-sdk/',
      'It starts in functions of users, where each module costs time.',
    ),
    forbid('console-uses-shared-and-cost', '^console/', '^(functions|provider|infra|loadtest|cli|dev)/'),
    forbid('cost-uses-shared', '^cost/', '^(functions|provider|infra|loadtest|cli|console|dev)/'),
    forbid(
      'infra-uses-shared-and-prices',
      '^infra/',
      '^(functions|provider|loadtest|cli|console|dev)/|^cost/(?!prices/)',
      'The stacks name the functions by file.',
    ),
    forbid('dev-uses-no-loadtest', '^dev/', '^loadtest/'),
    forbid('dev-uses-no-functions', '^dev/', '^functions/', 'It runs them as what is deployed.'),
    forbid(
      'the-sdk-model-knows-no-service',
      '^dev/support/sdkModel/',
      '^dev/(?!support/sdkModel/)|^shared/(?!protocol/|delivery/)',
      'Tests of all folders compare the service with it.',
    ),
    forbid('loadtest-measures-logic-in-benchmarks', '^loadtest/(?!bench/)', '^functions/'),
    forbid(
      'logic-needs-no-environment',
      '^functions/(?!lambda/)|^(dev|loadtest)/',
      '^functions/lambda/',
      'Entry points read the settings, make the clients and hand them in.',
    ),
    {
      name: 'the-emulator-knows-no-product',
      comment: 'It plays AWS, driven by a template and the files that this names. That holds for its tests too.',
      severity: 'error',
      from: { path: '^dev/emulator/' },
      to: {
        path: '^(shared|functions|provider|infra|loadtest|cli|console|cost)/|^dev/(?!emulator/)',
        pathNot: '^(shared/testing/until|dev/support/(freePort|rawSocket))[.]ts$',
      },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment: 'The pure rooms may hash and hold bytes; anything that reads, writes or waits belongs further out.',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
    },
    forbid('pure-rooms-know-no-cloud', pure, 'node_modules/(@aws|aws-|@smithy|ws/|hono|zod|commander)'),
    forbid(
      'only-the-store-talks-to-dynamodb',
      '^(shared/(?!store/)|functions|provider|infra|loadtest|cli|console|cost|dev/(?!emulator/))',
      'node_modules/@aws-sdk/(client-dynamodb|lib-dynamodb|util-dynamodb)',
    ),
    {
      name: 'the-cost-model-runs-anywhere',
      comment: 'The page runs it in a browser.',
      severity: 'error',
      from: { path: '^cost/(model|prices)/', pathNot: tests },
      to: {
        pathNot:
          '^cost/(model|prices)/|^shared/(protocol/ping|command/requirement|runtime/ownCommand)[.]ts$|^node_modules/zod/',
      },
    },
    {
      name: 'the-console-page-runs-in-a-browser',
      comment: 'With it what page and server say to each other. Its own type check knows nothing of Node.',
      severity: 'error',
      from: {
        path: '^console/([^/]+$|ui/|page/(browser|logic)/)',
        pathNot: `${tests}|^console/(main|serve)[.]ts$`,
      },
      to: {
        path: '^console/(server|deployed)/|^shared/(store/|runtime/(?!ownCommand)|command/)|node_modules/@aws-sdk/',
      },
    },
    forbid('shared-components-know-no-page', '^console/ui/', '^(?!console/ui/|shared/describe/|node_modules/)'),
    {
      name: 'the-product-ships-no-dev-tools',
      severity: 'error',
      from: { path: '^(shared|functions|cli)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The app of a user has packages that are not here.
    exclude: { path: 'cdk[.]out|^dev/pack/testing/cdkApp[.]cjs$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
