import type { Database } from './database.ts';
import type { DynaliteOperation, DynaliteStore, Input, Table } from './dynaliteInternals.ts';
import { validationError } from './errors.ts';
import { extendedOperation, type Operation, parseInput } from './input.ts';
import { openStage } from './stage.ts';

const streamSpecification = {
  StreamSpecification: {
    type: 'FieldStruct<StreamSpecification>',
    children: {
      StreamEnabled: { type: 'Boolean', notNull: true },
      StreamViewType: { type: 'String', enum: ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'] },
    },
  },
};

/** The maximum of a table on demand, in units a second. */
const maximum = {
  OnDemandThroughput: {
    type: 'FieldStruct<OnDemandThroughput>',
    children: { MaxReadRequestUnits: { type: 'Long' }, MaxWriteRequestUnits: { type: 'Long' } },
  },
};

/**
 * CreateTable, which answers when it is done: there is no CREATING to wait for. It refuses indexes, and drops parameters that mean
 * nothing here (encryption, tags, backups …).
 */
export function tableOperations(database: Database): Record<string, Operation> {
  const { store } = database;
  const create = finished(extendedOperation('CreateTable', { ...streamSpecification, ...maximum }));
  return {
    CreateTable: async (body) => {
      const stage = openStage(store);
      const output = await stage.run(create, withStream(parseInput(create, body, store), store));
      await database.commit([stage]);
      return output;
    },
  };
}

// dynalite answers after the first write of the table's record (CREATING), and makes the last one from a timer.
function finished(operation: DynaliteOperation): DynaliteOperation {
  return {
    ...operation,
    action: (store, input, callback) => {
      let writes = 0;
      let answer: (() => void) | undefined;
      const { put } = store.tableDb;
      const tableDb: DynaliteStore['tableDb'] = {
        ...store.tableDb,
        put: (key, value, done) => {
          put(key, value, done);
          writes += 1;
          if (writes === 2) answer?.();
        },
      };
      operation.action({ ...store, tableDb }, input, (error, output) => {
        if (error) return callback(error);
        answer = () => callback(null, output);
      });
    },
  };
}

function withStream(input: Input, store: DynaliteStore): Input {
  const { StreamSpecification: stream, ...rest } = input as Partial<Table>;
  if (input['GlobalSecondaryIndexes'] ?? input['LocalSecondaryIndexes'])
    throw validationError('The emulator has no indexes');
  if (stream && stream.StreamEnabled !== (stream.StreamViewType !== undefined))
    throw validationError('A StreamViewType is required if StreamEnabled is true, and refused otherwise');
  if (!stream?.StreamEnabled) return rest as Input;
  const label = new Date().toISOString().slice(0, -1);
  const { awsRegion, awsAccountId } = store.tableDb;
  const arn = `arn:aws:dynamodb:${awsRegion}:${awsAccountId}:table/${rest.TableName}/stream/${label}`;
  return { ...rest, StreamSpecification: stream, LatestStreamLabel: label, LatestStreamArn: arn } as Input;
}
