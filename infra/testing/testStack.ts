import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { App, Stack } from 'aws-cdk-lib/core';
import { TEMPLATES_ONLY, type Template } from '../inProcess.ts';

/** A stack of an app of others, without bundles. */
export function newStack(name = 'App', region = 'eu-west-1'): Stack {
  const app = new App({
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
    context: TEMPLATES_ONLY,
  });
  return new Stack(app, name, { env: { region } });
}

export const newRole = (stack: Stack, id = 'Role') => new Role(stack, id, { assumedBy: new AccountRootPrincipal() });

/** The template of a stack. */
export function synthesizeStack(stack: Stack): Template {
  return (stack.node.root as App).synth().getStackArtifact(stack.artifactId).template;
}
