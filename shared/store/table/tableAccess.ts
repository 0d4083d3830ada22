import type { Table } from './table.ts';
import type { ReadTable } from './tableRequests.ts';

/** Operations on one table. */
export class TableAccess<Access extends ReadTable = Table> {
  protected readonly table: Access;

  constructor(table: Access) {
    this.table = table;
  }
}
