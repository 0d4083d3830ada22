import { Random } from '../../../shared/testing/random.ts';

/** What generated users are like and generated flags ask about. */
export const COUNTRIES = ['us', 'cn', 'de', 'fr', 'gb', 'jp', 'br', 'in', 'es', 'it', 'ca', 'au'];
export const PLANS = ['free', 'starter', 'pro', 'enterprise'];
export const EMAIL_DOMAINS = ['example.com', 'example.org', 'corp.example', 'mail.example'];
export const VERSIONS = ['1.8.0', '1.9.4', '2.0.0', '2.1.3', '2.2.0'];

/** Users as FeatBit's own load test sends them: an address and a location beside key and name. */
export function k6Users(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const name = `k6-vu-${n + 1}`;
    const attributes = { email: `${name}@k6.com`, location: '127.0.0.1' };
    return userJson(name, name, attributes);
  });
}

/** Users as the JSON text an SDK sends: a key, a name and seven attributes. */
export function generateUsers(count: number): string[] {
  const random = new Random(1);
  return Array.from({ length: count }, (_, n) => {
    const attributes = {
      country: random.pick(COUNTRIES),
      plan: random.pick(PLANS),
      email: `user-${n}@${random.pick(EMAIL_DOMAINS)}`,
      age: String(16 + random.below(60)),
      version: random.pick(VERSIONS),
      isMember: String(random.chance(0.5)),
      logins: String(random.below(500)),
    };
    return userJson(`user-${n}`, `User ${n}`, attributes);
  });
}

function userJson(keyId: string, name: string, attributes: Record<string, string>): string {
  const customizedProperties = Object.entries(attributes).map(([property, value]) => ({ name: property, value }));
  return JSON.stringify({ keyId, name, customizedProperties });
}
