import { SdkModel } from '../../../support/sdkModel/sdkModel.ts';
import { SERVER_RULES } from '../../../support/sdkModel/sdkRules.ts';
import { SocketSdk } from '../../../support/sdkModel/socketSdk.ts';
import type { Workspace } from '../workspace.ts';

/** Server-side SDKs that npm does not have. */
export type SdkName = keyof typeof SERVER_RULES;

/** A client that calls itself a server-side SDK that npm does not have, and handles messages like it. */
export class ServerSdk extends SocketSdk {
  /** Messages that it must not be sent. */
  readonly violations: string[];

  constructor(name: SdkName, workspace: Workspace) {
    const violations: string[] = [];
    const report = (violation: string, what: string) => void violations.push(`${violation}: ${what}`);
    super(new SdkModel(SERVER_RULES[name], { name, report, hasParts: true }), () => workspace.url('server'));
    this.violations = violations;
    this.connect();
  }

  /** The number of its flags. */
  get flags(): number {
    return [...this.model.store.items.keys()].filter((name) => name.startsWith('flag:')).length;
  }

  /** Whether a flag is on. Undefined for a flag that it does not have. */
  isOn(key: string): boolean | undefined {
    return this.model.store.items.get(`flag:${key}`)?.json.isEnabled;
  }
}
