import { ConfigError } from '../config/configError.ts';

/** Placeholders in the trust policy and the workflow for unknown values. */
const PLACEHOLDER = { account: '<account>', region: '<region>' };

/** The variables with which GitHub's workflows name their repository: the form of each, and the placeholder of an unknown value. */
const REPOSITORY = {
  GITHUB_REPOSITORY: { form: /^[\w-]+\/[\w.-]+$/, placeholder: '<owner>/<repository>' },
  GITHUB_REPOSITORY_ID: { form: /^\d+$/, placeholder: '<repository id>' },
  GITHUB_REPOSITORY_OWNER_ID: { form: /^\d+$/, placeholder: '<owner id>' },
} as const;

const WHERE = 'gh api repos/<owner>/<repository> prints it';

/** The way to replace each placeholder of a repository. */
export const REPOSITORY_HINTS = Object.fromEntries(
  Object.entries(REPOSITORY).map(([name, { placeholder }]) => [
    placeholder,
    `Set the environment variable ${name}: ${WHERE} (docs/operations/ci.md).`,
  ]),
);

/** The target of a deployment. */
interface Destination {
  readonly stage: string;
  readonly account?: string;
  readonly region?: string;
}

/**
 * The trust policy of a role that workflows of a repository assume, in the repository's environment with the stage's name. IAM needs the
 * OIDC provider token.actions.githubusercontent.com with the audience sts.amazonaws.com.
 *
 * It accepts both subjects: repositories that were created, renamed or moved after 15 July 2026 send ids with the names, others only names.
 *
 * Sources: https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws and
 * https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims
 *
 * @param env has the variables of {@link REPOSITORY}
 * @throws ConfigError for a malformed one
 */
export function githubTrust({ stage, account = PLACEHOLDER.account }: Destination, env: NodeJS.ProcessEnv): object {
  const issuer = 'token.actions.githubusercontent.com';
  const [owner, name] = valueIn(env, 'GITHUB_REPOSITORY').split('/');
  const [ownerId, id] = [valueIn(env, 'GITHUB_REPOSITORY_OWNER_ID'), valueIn(env, 'GITHUB_REPOSITORY_ID')];
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: `arn:aws:iam::${account}:oidc-provider/${issuer}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: [`${owner}/${name}`, `${owner}@${ownerId}/${name}@${id}`].map(
              (repository) => `repo:${repository}:environment:${stage}`,
            ),
          },
        },
      },
    ],
  };
}

function valueIn(env: NodeJS.ProcessEnv, variable: keyof typeof REPOSITORY): string {
  const { form, placeholder } = REPOSITORY[variable];
  const value = env[variable];
  if (!value) return placeholder;
  if (!form.test(value)) throw new ConfigError(`${variable}=${value} is not ${placeholder}. ${WHERE}.`);
  return value;
}

/**
 * A GitHub workflow that deploys the stage from its main branch, without keys: with OIDC and a role named `flagwire-deploy-<stage>`. The
 * settings are in the stage's file in the repository.
 */
export function githubWorkflow({
  stage,
  account = PLACEHOLDER.account,
  region = PLACEHOLDER.region,
}: Destination): string {
  return `name: Deploy ${stage}

on:
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  id-token: write

concurrency: deploy-${stage}

jobs:
  deploy:
    runs-on: ubuntu-latest
    environment: ${stage}
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@v6
        with:
          node-version: 24
          cache: npm
      - uses: aws-actions/configure-aws-credentials@v5
        with:
          role-to-assume: arn:aws:iam::${account}:role/flagwire-deploy-${stage}
          aws-region: ${region}
      - run: npm ci
      - run: npm run deploy -- ${stage} --require-approval never
`;
}
