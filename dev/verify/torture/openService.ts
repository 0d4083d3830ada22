import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGateway } from './gateway.ts';
import { type Detour, openHosts } from './hosts.ts';
import type { Service, ServiceName } from './service.ts';

/** Starts a service. @param detour proxy between hosts and their table, which is in another process */
export async function openService(name: ServiceName, detour: Detour = async (endpoint) => endpoint): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-torture-'));
  try {
    if (name === 'gateway') return await openGateway(directory);
    return await openHosts(name, directory, detour);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}
