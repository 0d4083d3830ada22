import { Random } from './random.ts';

/** What generated users are like and generated flags ask about. */
export const COUNTRIES = ['us', 'cn', 'de', 'fr', 'gb', 'jp', 'br', 'in', 'es', 'it', 'ca', 'au'];
export const PLANS = ['free', 'starter', 'pro', 'enterprise'];
export const EMAIL_DOMAINS = ['example.com', 'example.org', 'corp.example', 'mail.example'];
export const VERSIONS = ['1.8.0', '1.9.4', '2.0.0', '2.1.3', '2.2.0'];

/**
 * Users as the JSON text an SDK sends: a key, a name and seven attributes.
 *
 * @param prefix what key ids start with; a number follows
 */
export function generateUsers(count: number, prefix = 'user'): string[] {
  const random = new Random(1);
  return Array.from({ length: count }, (_, n) => {
    const attributes = {
      country: random.pick(COUNTRIES),
      plan: random.pick(PLANS),
      email: `${prefix}-${n}@${random.pick(EMAIL_DOMAINS)}`,
      age: String(16 + random.below(60)),
      version: random.pick(VERSIONS),
      isMember: String(random.chance(0.5)),
      logins: String(random.below(500)),
    };
    return JSON.stringify({
      keyId: `${prefix}-${n}`,
      name: `${prefix} ${n}`,
      customizedProperties: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    });
  });
}
