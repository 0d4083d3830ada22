import { HttpApi, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { CONSOLE_GB, CONSOLE_THROTTLE } from '../../../cost/prices/serviceFacts.ts';
import type { SignInRoles } from '../../../shared/signIn/settings.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { secretText } from '../../config/frontDoor.ts';
import { type ConsoleSettings, signInSettings } from '../../config/signIn.ts';
import { acknowledge, acknowledgeAll } from '../acknowledge.ts';
import { signingChanges } from '../grants/environmentGrants.ts';
import { administering, editing, editorName, type PolicyScope, viewing } from '../grants/operatorPolicies.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';
import { addHttpStage, hostOf } from '../streaming/httpStage.ts';

interface DeployedConsoleProps extends ServedTables, Pick<PolicyScope, 'usage'> {
  readonly settings: ConsoleSettings;
  /** Of SDKs, for the snippets of the page. */
  readonly urls: { readonly streaming: string; readonly http: string };
  /** The id of an environment by its name or id. */
  readonly idOf: (environment: string) => string;
}

/**
 * The console for persons without AWS keys: browser → HTTP API → one function, which has the page, the API and the sign-in.
 *
 * The function may touch no table. For each request it assumes the role of one right, in the name of the person. So a wrong handler stays
 * within that role and its environment.
 */
export class DeployedConsole extends Construct {
  /** `https://…`, without a slash at the end. */
  readonly url: string;
  readonly #function: ServiceFunction;

  constructor(scope: Construct, id: string, { config, settings, urls, idOf, ...tables }: DeployedConsoleProps) {
    super(scope, id);
    const { flags, connections, usage } = tables;
    const api = new HttpApi(this, 'Api', { apiName: `${deploymentName(config)}-console`, createDefaultStage: false });
    acknowledge(
      this,
      'AwsSolutions-APIG4',
      'The function verifies the ID token of each request but those of the sign-in.',
    );
    this.url = `https://${hostOf(api)}`;
    const { clientSecret } = settings.signIn;
    const signIn = signInSettings(settings.signIn, idOf);
    this.#function = new ServiceFunction(this, 'Function', {
      config,
      entry: 'functions/lambda/console.ts',
      environment: {
        // Known here, so that no `Host` header decides where the provider sends its codes.
        CONSOLE_ORIGIN: this.url,
        SIGN_IN: JSON.stringify(signIn),
        ...(clientSecret !== undefined && { SIGN_IN_SECRET: secretText(clientSecret) }),
        ...(settings.allowedCidrs && { ALLOWED_CIDRS: settings.allowedCidrs.join() }),
        FLAGS_TABLE: flags.tableName,
        CONNECTIONS_TABLE: connections.tableName,
        STREAMING_URL: urls.streaming,
        HTTP_URL: urls.http,
      },
      timeoutSeconds: 29,
      memoryMb: CONSOLE_GB * 1_024,
    });
    const { viewers, administrators, editors } = signIn;
    // Names of stacks are for the command line: the function has the tables' names.
    const workplace = { flags, connections, usage, stacks: [] };
    const roles: SignInRoles = {
      ...(viewers.length > 0 && { viewer: this.#role('Viewer', viewing(workplace)) }),
      ...(administrators.length > 0 && { administrator: this.#role('Administrator', administering(workplace)) }),
      editors: Object.fromEntries(
        Object.keys(editors).map((envId) => [
          envId,
          this.#role(editorName(envId), [...editing(workplace, envId), signingChanges(flags, envId)]),
        ]),
      ),
    };
    const arns = [roles.viewer, roles.administrator, ...Object.values(roles.editors)].flatMap((arn) => arn ?? []);
    this.#function.allow(['sts:AssumeRole', 'sts:SetSourceIdentity'], arns);
    this.#function.handler.addEnvironment('SIGN_IN_ROLES', JSON.stringify(roles));
    const integration = new HttpLambdaIntegration('Integration', this.#function.handler);
    new HttpRoute(this, 'Route', { httpApi: api, routeKey: HttpRouteKey.DEFAULT, integration });
    addHttpStage(this, 'Stage', config, api, CONSOLE_THROTTLE);
  }

  /** A role that only the function assumes, and only in the name of a person. @returns its ARN */
  #role(name: string, statements: readonly PolicyStatement[]): string {
    const person = { StringLike: { 'sts:SourceIdentity': '*' } };
    const trusted = new ArnPrincipal(this.#function.role.roleArn).withConditions(person);
    const role = new Role(this, name, { assumedBy: trusted });
    // In a chain of roles, this must be allowed on both sides:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_monitor.html
    role.assumeRolePolicy?.addStatements(
      new PolicyStatement({ actions: ['sts:SetSourceIdentity'], principals: [trusted] }),
    );
    for (const statement of statements) role.addToPolicy(statement);
    acknowledgeAll(role, 'CloudWatch has no narrower resource for reading metrics.');
    return role.roleArn;
  }
}
