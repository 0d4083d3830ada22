import type { HealthRecord, MachineHealth } from '../tier/machineHealth.ts';
import { numberIn, textIn } from './table/attributes.ts';
import { heartbeatKey, machineHealthKey } from './table/keys.ts';
import { readItem } from './table/read.ts';
import { TableAccess } from './table/tableAccess.ts';
import { putItem } from './table/write.ts';

/** How long a write of a heartbeat may take, in milliseconds. */
const WRITE_TIMEOUT_MS = 5_000;

/** The heartbeat and the health of the machine behind a front door, in one item of the flags table each. */
export class MachineRecords extends TableAccess {
  /** Writes another heartbeat. Processes of a machine share it: systemd restarts one that has ended. @throws on timeout */
  async beat(): Promise<void> {
    await putItem(this.table, heartbeatKey, { value: this.table.effects.now() }, { timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** The last heartbeat, a number that differs from the one before. @returns undefined if there was none */
  async heartbeat(): Promise<number | undefined> {
    const item = await readItem(this.table, heartbeatKey);
    return item && numberIn(item, 'value');
  }

  /** Reads the health that was written last. @returns undefined if there is none, or if its item is damaged */
  async read(): Promise<HealthRecord | undefined> {
    const item = await readItem(this.table, machineHealthKey);
    if (!item) return undefined;
    const health = parseHealth(textIn(item, 'health'));
    const heartbeat = numberIn(item, 'heartbeat') || undefined;
    return health && { health, heartbeat, heardAt: numberIn(item, 'heardAt') };
  }

  /** Calls that overlap write the same, or the next call corrects it. */
  async write({ health, ...seen }: HealthRecord): Promise<void> {
    await putItem(this.table, machineHealthKey, { ...seen, health: JSON.stringify(health) });
  }
}

function parseHealth(text: string): MachineHealth | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
