import { clientEnvironment, onlySet } from '../../emulator/clients.ts';
import { newAccessKey } from '../../emulator/iam/identities.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from '../../support/runningProcess.ts';

/** The emulated DynamoDB in its own process, which survives and is not delayed by its clients. */
export class TableProcess extends RunningProcess {
  endpoint = '';
  /** The names of its tables. */
  readonly tables = { flags: '', connections: '', usage: '' };

  /** Starts it, and waits until its tables are there. From then on AWS clients of this process use it. */
  static async start(): Promise<TableProcess> {
    const environment = onlySet(clientEnvironment({ dynamoDb: '', services: '', accessKey: newAccessKey() }));
    const command = ofRepository('dev/verify/torture/table.ts');
    const running = new TableProcess(command, { environment: cleanEnvironment(environment) });
    const { endpoint, flags, connections, usage } = await running.listening();
    running.endpoint = String(endpoint);
    Object.assign(running.tables, { flags, connections, usage });
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: running.endpoint });
    return running;
  }
}
