import type { Table } from './table.ts';

/** Operations on one table. */
export class TableAccess {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }
}
