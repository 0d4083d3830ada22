import { type Model, readModel } from '../../emulator/template/resolve.ts';

/** The stacks as far as their tables are concerned, and what those are called in the emulator. */
interface TableModel {
  readonly model: Model;
  readonly flags: string;
  readonly connections: string;
  readonly usage: string;
}

/** Reads the tables from the stacks. */
export async function readTables(): Promise<TableModel> {
  // Loaded when it is needed: the command answers --help without a CDK.
  const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
  const model = readModel(synthesizeTemplates(), { gatewayUrl: '', serviceUrl: '', streamArn: () => undefined });
  const tables = model.resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
  const nameOf = (pattern: RegExp) => tables.find(({ logicalId }) => pattern.test(logicalId))?.value() ?? '';
  return { model, flags: nameOf(/^Flags/), connections: nameOf(/^Connections/), usage: nameOf(/^Usage/) };
}
