import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How one request is met: a status and a body. */
type Answer = readonly [status: number, body: object];

/** An account that answers as told, on an ephemeral port. */
export interface PlayedAccount {
  /** Variables by which the AWS SDK asks it. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests by their path or operation, in the order they came. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * Plays Lambda's account settings, Service Quotas, the parameter of `cdk bootstrap`, API Gateway's settings, STS, CloudFormation's summary of one stack's template, and IAM,
 * which has every role.
 *
 * @param settings of Lambda
 * @param quotas the account's own by code; one that is not there is asked for among the defaults
 * @param defaults by code
 * @param logRole by which API Gateway writes logs
 * @param metadata of the template; without it there is no stack
 * @param qualifiers of the bootstraps of CDK
 * @param zones that offer instance types of EC2, by type; the account is older than AWS's plans
 */
export async function playAccount(parts: {
  readonly settings: Answer;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly defaults?: Readonly<Record<string, number>>;
  readonly logRole?: string;
  readonly metadata?: string;
  readonly qualifiers?: readonly string[];
  readonly zones?: Readonly<Record<string, readonly string[]>>;
}): Promise<PlayedAccount> {
  const { settings, quotas = {}, defaults = {}, logRole, metadata, qualifiers = ['hnb659fds'], zones = {} } = parts;
  const asked: string[] = [];
  const answer = (operation: string, body: string): Answer => {
    if (operation.endsWith('/account-settings')) return settings;
    if (operation.endsWith('.DescribeCertificate'))
      return [200, { Certificate: { Status: 'ISSUED', DomainName: '*.example.com' } }];
    if (operation === '/account') return [200, { cloudwatchRoleArn: logRole }];
    if (operation === '/') return [200, {}];
    if (operation === 'AmazonSSM.GetParameter')
      return qualifiers.some((each) => body.includes(`/cdk-bootstrap/${each}/`))
        ? [200, { Parameter: { Value: '30' } }]
        : [400, { __type: 'ParameterNotFound' }];
    const { QuotaCode } = JSON.parse(body);
    const Value = (operation.endsWith('.GetServiceQuota') ? quotas : defaults)[QuotaCode];
    return Value === undefined
      ? [400, { __type: 'NoSuchResourceException', message: `no ${QuotaCode}` }]
      : [200, { Quota: { QuotaCode, Value } }];
  };
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target'] ?? new URL(request.url ?? '', 'http://x').pathname);
    const query = await text(request);
    if (/^Action=Get(CallerIdentity|TemplateSummary)&/.test(query)) {
      const [status, xml] = answerQuery(query, metadata);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
      return;
    }
    const found = typesAnswer(query, zones) ?? listAnswer(query, operation);
    if (found) {
      response.writeHead(found[0]).end(found[1]);
      return;
    }
    asked.push(operation);
    const [status, body] = answer(operation, query);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: {
      AWS_ENDPOINT_URL_LAMBDA: url,
      AWS_ENDPOINT_URL_SERVICE_QUOTAS: url,
      AWS_ENDPOINT_URL_API_GATEWAY: url,
      AWS_ENDPOINT_URL_IAM: url,
      AWS_ENDPOINT_URL_ACM: url,
      AWS_ENDPOINT_URL_CLOUDFRONT: url,
      AWS_ENDPOINT_URL_EC2: url,
      AWS_ENDPOINT_URL_SSM: url,
      AWS_ENDPOINT_URL_STS: url,
      AWS_ENDPOINT_URL_CLOUDFORMATION: url,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Lambda's settings of an account. */
export const settingsOf = (concurrency: number): Answer => [
  200,
  { AccountLimit: { ConcurrentExecutions: concurrency } },
];

/** The role and account of the credentials. */
export const PLAYED_IDENTITY = { account: '123456789012', arn: 'arn:aws:sts::123456789012:assumed-role/deploy/me' };

/** One distribution, and nothing of EC2. @returns undefined for other requests */
function listAnswer(query: string, operation: string): readonly [status: number, xml: string] | undefined {
  if (operation.endsWith('/distribution')) return [200, '<DistributionList><Quantity>1</Quantity></DistributionList>'];
  const [, action] = /^Action=(Describe(?!InstanceType)\w+)&/.exec(query) ?? [];
  return action === undefined ? undefined : [200, `<${action}Response></${action}Response>`];
}

/**
 * What EC2 says of instance types.
 *
 * @param query of the request
 * @param zones that offer a type; the region lacks other types
 * @returns undefined for other requests
 */
export function typesAnswer(
  query: string,
  zones: Readonly<Record<string, readonly string[]>>,
): readonly [status: number, xml: string] | undefined {
  const parameters = new URLSearchParams(query);
  const action = parameters.get('Action') ?? '';
  if (action !== 'DescribeInstanceTypeOfferings') return undefined;
  const asked = [...parameters].flatMap(([name, value]) => (name.startsWith('Filter.1.Value.') ? [value] : []));
  const items = asked.flatMap((type) =>
    (zones[type] ?? []).map((zone) => `<item><instanceType>${type}</instanceType><location>${zone}</location></item>`),
  );
  return [200, `<${action}Response>${items.join('')}</${action}Response>`];
}

/** Services that speak AWS's query protocol, with XML. */
function answerQuery(query: string, metadata: string | undefined): readonly [status: number, xml: string] {
  const { account, arn } = PLAYED_IDENTITY;
  if (query.includes('Action=GetCallerIdentity')) {
    const result = `<Arn>${arn}</Arn><UserId>AIDA:me</UserId><Account>${account}</Account>`;
    return [
      200,
      `<GetCallerIdentityResponse><GetCallerIdentityResult>${result}</GetCallerIdentityResult></GetCallerIdentityResponse>`,
    ];
  }
  if (metadata === undefined) {
    const error = '<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id x does not exist</Message>';
    return [400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`];
  }
  const result = `<Metadata>${metadata.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</Metadata>`;
  return [
    200,
    `<GetTemplateSummaryResponse><GetTemplateSummaryResult>${result}</GetTemplateSummaryResult></GetTemplateSummaryResponse>`,
  ];
}
