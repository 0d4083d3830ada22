import { ConfigError } from './configError.ts';
import type { ValidSettings } from './settingsSchema.ts';

/** @throws ConfigError naming both keys, if two entries to the deployment have one name: DNS leads to one of them */
export function checkDomainNames({ domain, regionalDomain, host, frontDoor, fargate }: ValidSettings): void {
  const keyOf = new Map<string, string>();
  const names = {
    'domain.name': domain?.name,
    'regionalDomain.streamingName': regionalDomain?.streamingName,
    'regionalDomain.httpName': regionalDomain?.httpName,
    'host.tls.domainName': host?.tls?.domainName,
    'frontDoor.domainName': frontDoor?.domainName,
    'fargate.tls.domainName': fargate?.tls?.domainName,
  };
  for (const [key, name] of Object.entries(names)) {
    if (name === undefined) continue;
    const other = keyOf.get(name);
    if (other !== undefined)
      throw new ConfigError(`${key}=${name} cannot be used: it is also ${other}. Use another name.`);
    keyOf.set(name, key);
  }
}
