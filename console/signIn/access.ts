import type { Context as HonoContext } from 'hono';
import type { SignInRoles, SignInSettings } from '../../shared/signIn/settings.ts';
import { PERSON_HEADER, TOKEN_HEADER } from '../api.ts';
import { RIGHTS } from '../rights.ts';
import type { Access, OpenConsole } from '../server/consoleContext.ts';
import { RequestError } from '../server/failure.ts';
import { requireOwnPage } from '../server/guard.ts';
import { TLS_HEADERS } from '../server/pageHeaders.ts';
import { nameForAws } from './assumeRole.ts';
import { leastRole, type Person, personIn } from './person.ts';
import type { Provider } from './provider.ts';
import { addSignInRoutes } from './routes.ts';
import { ended, readSession, verifyToken } from './session.ts';

interface SignInDeps {
  readonly settings: SignInSettings;
  readonly provider: Provider;
  readonly roles: SignInRoles;
  /** Of the console, without a slash at the end. */
  readonly origin: string;
  /** Opens the console with a role, in a person's name. */
  readonly open: (person: Person, arn: string) => Promise<OpenConsole>;
  /** Whether a sender's address may send requests. */
  readonly isAllowed: (context: HonoContext) => boolean;
  /** Called for each request of a person that may change something, before it is executed. */
  readonly onChange: (person: Person, request: string, env: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Access to a deployed console: persons who have signed in, each with the role that suffices for the request. */
export function signedInAccess(deps: SignInDeps): Access {
  const { settings, provider, roles, origin, open, isAllowed, onChange, now } = deps;
  const requirePage = (context: HonoContext) => {
    requireOwnPage(context.req, origin);
    if (!context.req.header(TOKEN_HEADER))
      throw new RequestError('foreign-origin', `the header ${TOKEN_HEADER} is missing`);
  };
  return {
    admit: (context) => {
      for (const [name, value] of Object.entries(TLS_HEADERS)) context.header(name, value);
      if (!isAllowed(context)) throw new RequestError('foreign-origin', 'your address is not in console.allowedCidrs');
    },
    identify: async (context) => {
      const token = readSession(context, provider.seal);
      if (token === undefined) throw ended();
      requirePage(context);
      const claims = await verifyToken(token, settings, provider.trusted, now());
      const believed = context.req.header(PERSON_HEADER);
      if (believed !== undefined && believed !== nameForAws(claims.sub ?? ''))
        throw new RequestError('other-person', 'somebody else has signed in: reload the page');
      const person = personIn(claims, settings);
      return async (name, env) => {
        const arn = leastRole(person, roles, RIGHTS[name], env);
        if (!name.startsWith('GET ')) onChange(person, name, env);
        return open(person, arn);
      };
    },
    concealed: {
      'permission-missing': 'AWS refused this request. Your access may have been blocked. Ask an administrator.',
      'table-unavailable': 'AWS does not answer, or refuses this request. Try again in a moment.',
    },
    addRoutes: (app, page) => addSignInRoutes(app, page, { settings, provider, requireOwnPage: requirePage, now }),
  };
}
