import { apiHost, apiId, arn, localAccount } from './account.ts';
import { pathOf, type ResourceLocation, type TemplateResource } from './template.ts';

/** The addresses that exist only once the emulator's servers and tables are up. */
export interface LocalAddresses {
  /** `http://host:port` of the gateway: WebSocket API, management API and HTTP API. */
  readonly gatewayUrl: string;
  /** `http://host:port` of the APIs that have addresses of their own, by id. */
  readonly ownUrls?: ReadonlyMap<string, string>;
  /** `http://host:port` of the AWS service endpoints (SQS, Firehose). */
  readonly serviceUrl: string;
  /** The stream of a table, by the table's physical name. Undefined when it has none. */
  streamArn(tableName: string): string | undefined;
}

/** A resource with the way to resolve its own properties. */
interface ResourceInPlace extends ResourceLocation {
  readonly resource: TemplateResource;
  /** A property as a string, or undefined when the template leaves it out. */
  text(property: string): string | undefined;
}

type Values = (at: ResourceInPlace, addresses: LocalAddresses) => Readonly<Record<string, string | undefined>>;

const tableValues: Values = (at, { streamArn }) => {
  const name = at.text('TableName') ?? physicalName(at);
  return { Ref: name, Arn: arn('dynamodb', `table/${name}`), StreamArn: streamArn(name) };
};

/** Values of a resource whose name is a property, or is derived from its place. */
const namedBy =
  (property: string, arnOf: (name: string) => string): Values =>
  (at) => {
    const name = at.text(property) ?? physicalName(at);
    return { Ref: name, Arn: arnOf(name) };
  };

const ownId: Values = (at) => ({ Ref: at.logicalId });

/** Values of `Ref` and of each `Fn::GetAtt`, by resource type. */
const valuesByType: Readonly<Record<string, Values>> = {
  'AWS::DynamoDB::Table': tableValues,
  'AWS::DynamoDB::GlobalTable': tableValues,
  'AWS::Lambda::Function': namedBy('FunctionName', (name) => arn('lambda', `function:${name}`)),
  'AWS::Lambda::EventSourceMapping': ownId,
  'AWS::Events::Rule': namedBy('Name', (name) => arn('events', `rule/${name}`)),
  'AWS::ApiGatewayV2::Api': (at) => {
    const id = apiId(at);
    const scheme = at.text('ProtocolType') === 'WEBSOCKET' ? 'wss' : 'https';
    return { Ref: id, ApiId: id, ApiEndpoint: `${scheme}://${apiHost(id)}` };
  },
  'AWS::ApiGatewayV2::Stage': (at) => ({ Ref: at.text('StageName') }),
  'AWS::ApiGatewayV2::Integration': ownId,
  'AWS::ApiGatewayV2::Route': (at) => ({ Ref: at.logicalId, RouteId: at.logicalId }),
  'AWS::ApiGatewayV2::Authorizer': (at) => ({ Ref: at.logicalId, AuthorizerId: at.logicalId }),
  'AWS::SQS::Queue': (at, { serviceUrl }) => {
    const name = queueName(at);
    const url = `${serviceUrl}/${localAccount}/${name}`;
    return { Ref: url, QueueUrl: url, QueueName: name, Arn: arn('sqs', name) };
  },
  'AWS::KinesisFirehose::DeliveryStream': namedBy('DeliveryStreamName', (name) =>
    arn('firehose', `deliverystream/${name}`),
  ),
  'AWS::IAM::Role': namedBy('RoleName', (name) => `arn:aws:iam::${localAccount}:role/${name}`),
  'AWS::S3::Bucket': (at) => {
    const name = at.text('BucketName') ?? physicalName(at).toLowerCase();
    return { Ref: name, Arn: `arn:aws:s3:::${name}` };
  },
  'AWS::Logs::LogGroup': namedBy('LogGroupName', (name) => arn('logs', `log-group:${name}:*`)),
};

/**
 * The local value of `Ref` (attribute `Ref`) or `Fn::GetAtt` of a resource.
 *
 * @throws Error naming the resource, its type and the attribute when the emulator has no such value.
 */
export function resourceValue(at: ResourceInPlace, attribute: string, addresses: LocalAddresses): string {
  const value = valuesByType[at.resource.Type]?.(at, addresses)[attribute];
  if (value === undefined) {
    throw new Error(
      `${pathOf(at)} (${at.resource.Type}): the emulator has no value for its "${attribute}"; ` +
        'add it in dev/emulator/template/resourceValues.ts',
    );
  }
  return value;
}

/** The name a resource gets when the template gives none: stable from one start to the next. */
function physicalName(location: ResourceLocation): string {
  return `${location.stack}-${location.logicalId}`;
}

function queueName(at: ResourceInPlace): string {
  const given = at.text('QueueName');
  if (given !== undefined) return given;
  const fifo = at.resource.Properties?.['FifoQueue'] === true;
  return fifo ? `${physicalName(at)}.fifo` : physicalName(at);
}
