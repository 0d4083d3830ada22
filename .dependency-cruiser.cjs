/**
 * The import rules of the house (docs/decisions/0001-rooms-and-imports.md): who may use whom, and nothing else.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const pure = '^shared/(flags|evaluation|protocol)/';
const tests = '[.]test[.]ts$|/testing/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'flags-is-the-bottom',
      severity: 'error',
      from: { path: '^shared/flags/', pathNot: tests },
      to: { path: '^(shared/(?!flags/)|functions/|infra/|loadtest/)' },
    },
    {
      name: 'evaluation-uses-flags-only',
      severity: 'error',
      from: { path: '^shared/evaluation/', pathNot: tests },
      to: { path: '^(shared/(?!flags/|evaluation/)|functions/|infra/|loadtest/)' },
    },
    {
      name: 'protocol-uses-flags-and-evaluation',
      severity: 'error',
      from: { path: '^shared/protocol/', pathNot: tests },
      to: { path: '^(shared/(delivery|store)/|functions/|infra/|loadtest/)' },
    },
    {
      name: 'delivery-makes-messages',
      severity: 'error',
      from: { path: '^shared/delivery/', pathNot: tests },
      to: { path: '^(shared/store/|functions/|infra/|loadtest/)' },
    },
    {
      name: 'logic-needs-no-environment',
      comment: 'Entry points read the settings, make the clients and hand them in.',
      severity: 'error',
      from: { path: '^functions/(?!lambda/)', pathNot: tests },
      to: { path: '^functions/lambda/' },
    },
    {
      name: 'the-emulator-knows-no-product',
      comment: 'It plays AWS, driven by a template and the files that this names. That holds for its tests too.',
      severity: 'error',
      from: { path: '^infra/emulator/' },
      to: {
        path: '^(shared|functions|loadtest)/|^infra/(?!emulator/)',
        pathNot: '^(shared/testing/until|infra/machine/freePort)[.]ts$',
      },
    },
    {
      name: 'pure-rooms-do-no-io',
      comment: 'The pure rooms may hash and hold bytes; anything that reads, writes or waits belongs further out.',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
    },
    {
      name: 'pure-rooms-know-no-cloud',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { path: 'node_modules/(@aws|aws-|@smithy|ws/|hono|zod|commander)' },
    },
    {
      name: 'shared-never-looks-out',
      severity: 'error',
      from: { path: '^shared/', pathNot: tests },
      to: { path: '^(functions|infra|loadtest)/' },
    },
    {
      name: 'functions-use-shared',
      severity: 'error',
      from: { path: '^functions/', pathNot: tests },
      to: { path: '^(infra|loadtest)/' },
    },
    {
      name: 'only-the-store-talks-to-dynamodb',
      severity: 'error',
      from: { path: '^(shared/(?!store/)|functions/|infra/(?!emulator/)|loadtest/)', pathNot: tests },
      to: { path: 'node_modules/@aws-sdk/(client-dynamodb|lib-dynamodb|util-dynamodb)' },
    },
    {
      name: 'infra-and-loadtest-use-shared',
      comment: 'The stacks name the functions by file. Benchmarks measure logic by itself.',
      severity: 'error',
      from: { path: '^(infra/|loadtest/(?!bench/))', pathNot: tests },
      to: { path: '^functions/' },
    },
    {
      name: 'nobody-uses-loadtest',
      severity: 'error',
      from: { path: '^(shared|functions|infra)/' },
      to: { path: '^loadtest/' },
    },
    {
      name: 'the-cost-model-runs-anywhere',
      comment: 'The page runs it in a browser.',
      severity: 'error',
      from: { path: '^infra/cost/(model/|others/|[^/]+$)', pathNot: tests },
      to: { pathNot: '^infra/cost/(model/|others/|prices/|[^/]+$)|^shared/protocol/ping[.]ts$|^node_modules/zod/' },
    },
    {
      name: 'the-console-page-runs-in-a-browser',
      comment: 'With it what page and server say to each other. Its own type check knows nothing of Node.',
      severity: 'error',
      from: {
        path: '^infra/console/([^/]+$|page/(browser|logic)/)',
        pathNot: `${tests}|^infra/console/(main|serve)[.]ts$`,
      },
      to: { path: '^infra/console/(server|deployed)/|^shared/(store|command)/|node_modules/@aws-sdk/' },
    },
    {
      name: 'entry-points-do-not-ship-dev-tools',
      severity: 'error',
      from: { path: '^(shared|functions)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'cdk[.]out' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
