/** Sign-in of the deployed console, as the function's variable `SIGN_IN` contains it in JSON. */
export interface SignInSettings {
  /** Address of the OpenID provider. It publishes its addresses and keys under it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Claim of the ID token that contains a person's groups: a list, or one text that is one group. */
  readonly groupsClaim: string;
  /** Claim of the ID token that names a person in the history. */
  readonly nameClaim: string;
  /** Groups whose members may read. `*` admits everybody who can sign in. */
  readonly viewers: readonly string[];
  /** Groups whose members may change flags, by the id of the environment, in lower case. */
  readonly editors: Readonly<Record<string, readonly string[]>>;
  /** Groups whose members may also change environments and keys. */
  readonly administrators: readonly string[];
  /** Maximum age of a session's token, in minutes. */
  readonly sessionMinutes: number;
}

/** ARNs of the roles that the console assumes, in the variable `SIGN_IN_ROLES`. Only those that the settings use. */
export interface SignInRoles {
  readonly viewer?: string;
  readonly administrator?: string;
  /** By the id of the environment, in lower case. */
  readonly editors: Readonly<Record<string, string>>;
}

/** Maximum size of the settings as JSON, in bytes. Lambda limits all variables of a function to 4 KB. */
export const SETTINGS_LIMIT_BYTES = 3 * 1024;

/** In place of a group: everybody who can sign in. For viewers only. */
export const EVERYBODY = '*';
