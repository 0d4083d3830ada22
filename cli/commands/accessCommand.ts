import { type Command, Option } from 'commander';
import { keysOfCounter, keysOfReader } from '../../shared/store/table/keys.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { readTableArn } from '../../shared/store/table/tableArn.ts';
import type { CommandMaker } from '../command.ts';
import { CliError } from '../io.ts';

/** `env access`: what a function needs to evaluate flags with `flagwire-provider`, where CDK does not add it. */
export function addAccessCommand(env: Command, commands: CommandMaker): void {
  commands.addGlobal<{ usage?: boolean }>(
    env,
    'access <environment>',
    'print the variables and the policy of a Lambda function that evaluates flags with flagwire-provider, for SAM and Terraform',
    async ({ store, flagsTable, result, note }, [named = ''], { usage = false }) => {
      const { id } = await store.environments.find(named);
      const statements = [await statement(flagsTable, ['GetItem', 'Query'], keysOfReader(id))];
      const variables: [string, string][] = [
        ['FLAGS_TABLE', flagsTable.name],
        ['FLAGS_ENVIRONMENT', id],
      ];
      if (usage) {
        const name = (await readServiceTables(flagsTable))?.usage;
        if (name === undefined) throw new CliError('the service does not count evaluations; omit --usage');
        statements.push(await statement({ ...flagsTable, name }, ['UpdateItem'], keysOfCounter(id)));
        variables.push(['FLAGS_USAGE_TABLE', name]);
      }
      const policy = statements.map((each) => JSON.stringify(each));
      result({ variables: Object.fromEntries(variables), statements }, [
        '# SAM: properties of the function',
        'Environment:',
        '  Variables:',
        ...variables.map(([name, value]) => `    ${name}: ${value}`),
        'Policies:',
        '  - Statement:',
        ...policy.map((each) => `      - ${each}`),
        '',
        '# Terraform: the function, and the policy of its role',
        `environment { variables = { ${variables.map(([name, value]) => `${name} = "${value}"`).join(', ')} } }`,
        `policy = jsonencode({ Version = "2012-10-17", Statement = [${policy.join(', ')}] })`,
      ]);
      note('If the service has the setting missingAttribute, also set FLAGS_MISSING_ATTRIBUTE to its value.');
      note('If the service has the setting kmsKeyArn, also allow kms:Decrypt for that key.');
    },
    [new Option('--usage', 'also count evaluations')],
  );
}

/** Permission for items of a table, in any account and region if the table may not be described. */
async function statement(table: Table, actions: readonly string[], keys: readonly string[]) {
  const { name } = table;
  return {
    Effect: 'Allow',
    Action: actions.map((action) => `dynamodb:${action}`),
    Resource: name.startsWith('arn:') ? name : ((await readTableArn(table)) ?? `arn:aws:dynamodb:*:*:table/${name}`),
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  };
}
